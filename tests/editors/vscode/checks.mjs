// What a person does with the extension, done in the real VS Code and judged by what is on the page. The checks go on
// from one another, as a person does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SLOWNESS, Workbench } from './workbench.mjs';

const { PLAYWRIGHT, ADDRESS, WORKSPACE, SHOTS, PYTHON, BARE_PYTHON, PROFILE, MAKE_WORKSPACE } = process.env;
// From when VS Code has shown the folder and activates the extension: what comes before is not the extension's.
const FIRST_SQUIGGLE_MS = 5_000;
// What an idle machine with two cores takes.
const FOLDER_SHOWN_MS = 5_000;
const FAULT = 'runs for N = 2, H = 2';

const vs = new Workbench({ playwright: PLAYWRIGHT, address: ADDRESS, workspace: WORKSPACE, shots: SHOTS });
const makeModels = (nodes) => execFileSync(PYTHON, [MAKE_WORKSPACE, WORKSPACE, '--models', String(nodes)]);
let failed = false;

before(() => vs.launch());
after(() => vs.close());

/** When the extension was activated in the newest window, in the milliseconds of `Date.now`. */
function activationTime() {
  const logs = globSync('logs/*/exthost*/remoteexthost.log', { cwd: PROFILE }).sort();
  const log = readFileSync(path.join(PROFILE, logs.at(-1)), 'utf8');
  const [, day, time] = /^(\S+) (\S+) .*_doActivateExtension onnxls\.onnxls/m.exec(log);
  return new Date(`${day}T${time}`).getTime();
}

/** A check that fails leaves a picture, and none after it is tried: it would not stand where it expects to. */
function check(name, body) {
  test(name, { timeout: 90_000 * SLOWNESS }, async (context) => {
    if (failed) {
      context.skip('an earlier one failed');
      return;
    }
    try {
      await body();
    } catch (error) {
      failed = true;
      await vs.shot('failed').catch(() => undefined);
      throw error;
    }
  });
}

describe('a source', () => {
  check('has its first squiggle soon after its folder is opened', async () => {
    const started = Date.now();
    await vs.openFolder('rows.py');
    const shown = Date.now();
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0, 60_000);
    const squiggle = Date.now();
    const activated = activationTime();
    const ours = squiggle - Math.max(shown, activated);
    const slowness = Math.max(SLOWNESS, (shown - started) / FOLDER_SHOWN_MS);
    console.log(
      `first squiggle: ${squiggle - started} ms; VS Code took ${shown - started} ms to show the folder ` +
        `and ${activated - started} ms to activate the extension; ${ours} ms after both`,
    );
    assert.ok(ours < FIRST_SQUIGGLE_MS * slowness, `${ours} ms, on a machine that is ${slowness} times slower than usual`);
    await vs.extensionReady('onnxls: Restart Server');
  });

  check('has entries in Problems, and they lead to their place', async () => {
    await vs.command('Problems: Focus on Problems View');
    await vs.until('both problems', async () => {
      const problems = (await vs.problems()).join('\n');
      return problems.includes(FAULT) && problems.includes('Softmx') && problems.includes('onnxls');
    });
    await vs.jumpToProblem(FAULT);
    await vs.cursorAt(11);
  });

  check('shows shapes behind its values, and they follow what is typed', async () => {
    await vs.until('the shape of `four`', async () => (await vs.line('op.Reshape')).includes('[4, H*N//4]'));
    await vs.shot('source');
    await vs.goTo(11, 32);
    await vs.page.keyboard.press('Delete');
    await vs.page.keyboard.type('2');
    await vs.until('the other shape of `four`', async () => (await vs.line('op.Reshape')).includes('[2, H*N//2]'));
    await vs.page.keyboard.press('Backspace');
    await vs.page.keyboard.type('4');
    await vs.until('the first shape again', async () => (await vs.line('op.Reshape')).includes('[4, H*N//4]'));
  });

  check('explains a value where one hovers over it', async () => {
    await vs.goTo(11, 7);
    await vs.hover(/float\[4, H\*N\/\/4\]/, 'hover');
  });

  check('leads from a call to the function in another file', async () => {
    await vs.goTo(12, 15);
    await vs.page.keyboard.press('F12');
    await vs.until('layers.py', async () => (await vs.activeTab()) === 'layers.py');
    await vs.cursorAt(8);
    await vs.command('View: Close Editor');
    await vs.until('rows.py', async () => (await vs.activeTab()) === 'rows.py');
  });

  check('is mended by a quick fix', async () => {
    await vs.goTo(13, 16);
    await vs.page.locator('.lightBulbWidget.codicon-lightbulb-autofix').waitFor();
    await vs.page.keyboard.press('Control+.');
    const fix = vs.page.locator('.action-widget .monaco-list-row', { hasText: 'Softmax' }).first();
    await fix.waitFor();
    await vs.shot('quick-fix');
    await fix.click();
    await vs.until('the operator that exists', async () => (await vs.line('return')).includes('op.Softmax(moved)'));
    await vs.until('no error', async () => (await vs.squiggles('error').count()) === 0);
    await vs.page.keyboard.press('Control+z');
    await vs.until('the error again', async () => (await vs.squiggles('error').count()) > 0);
  });
});

describe('sizes', () => {
  check('that do not fit turn a condition red, and the shapes follow', async () => {
    await vs.goTo(11, 7);
    await vs.command('onnxls: Try Sizes');
    const page = await vs.webview('#fields');
    await page.locator('input[data-symbol="N"]').fill('3');
    await page.locator('input[data-symbol="H"]').fill('6');
    await vs.until('a condition that fails', async () => (await page.locator('#guards li.fails').count()) === 1);
    await vs.until('shapes at those sizes', async () => (await vs.line('op.Relu')).includes('[3, 6]'));
    assert.match(await page.locator('#summary').innerText(), /Does not run/);
    const red = await page.locator('#guards li.fails code').evaluate((element) => getComputedStyle(element).color);
    const [r, g, b] = red.match(/\d+/g).map(Number);
    assert.ok(r > 1.5 * g && r > 1.5 * b, red);
    await vs.shot('try-sizes');
    await page.locator('input[data-symbol="N"]').fill('2');
    await vs.until('the condition to hold', async () => (await page.locator('#guards li.holds').count()) === 1);
    await vs.until('a shape in numbers', async () => (await vs.line('op.Reshape')).includes('[4, 3]'));
  });

  check('are taken back, and a click on a condition leads to its operator', async () => {
    const page = await vs.webview('#fields');
    await page.locator('#reset').click();
    await vs.until('an open condition', async () => (await page.locator('#guards li.unknown').count()) === 1);
    await vs.until('shapes of symbols', async () => (await vs.line('op.Reshape')).includes('[4, H*N//4]'));
    await vs.goTo(9, 5);
    await page.locator('#guards li').waitFor();
    await page.locator('#guards li button').click();
    await vs.cursorAt(11);
  });

  check('are what the view Guards is about, to which a line above the function leads', async () => {
    await vs.goTo(3, 1);
    await vs.page.locator('.codelens-decoration a', { hasText: '1 guard' }).click();
    await vs.cursorAt(9);
    await vs.page.locator('.pane .monaco-list-row', { hasText: 'H*N % 4 == 0' }).waitFor();
  });
});

describe('a model', () => {
  check('that is clicked opens as text with colours, and has a badge', async () => {
    await vs.command('View: Show Explorer');
    await vs.openFile('mixer.onnx');
    await vs.until('its text', async () => (await vs.line('apply_mask')).includes('Add(scores, mask)'));
    assert.match(await vs.activeUri(), /^onnx-text:\//);
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0);
    await vs.until('colours', async () => {
      const tokens = vs.editor().locator('.view-line', { hasText: 'apply_mask' }).locator('span > span');
      return new Set(await tokens.evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color))).size >= 3;
    });
    const label = vs.file('mixer.onnx').locator('.monaco-icon-label');
    await vs.until('a badge', async () => /\d+ findings? by onnxls/.test(await label.getAttribute('aria-label')));
    await vs.shot('model');
  });

  check('cannot be changed', async () => {
    await vs.editor().locator('.view-line', { hasText: 'apply_mask' }).click();
    await vs.page.keyboard.type('x');
    await vs.until('a word about it', async () => {
      const message = vs.page.locator('.monaco-editor-overlaymessage');
      return (await message.allInnerTexts()).join().includes('not changed here');
    });
    await vs.page.keyboard.press('Escape');
  });

  check('has an outline', async () => {
    await vs.command('Explorer: Focus on Outline View');
    await vs.until('its inputs', async () =>
      (await vs.page.locator('.outline-pane .monaco-list-row').allInnerTexts()).join().includes('tokens'),
    );
    await vs.command('View: Focus Active Editor Group');
  });

  check('has problems that lead into the text', async () => {
    await vs.command('Problems: Focus on Problems View');
    const problem = vs.problem('seq = 128');
    await problem.waitFor();
    const [, line] = /Ln (\d+)/.exec(await problem.innerText()) ?? [];
    await vs.jumpToProblem('seq = 128');
    await vs.cursorAt(line);
    assert.match(await vs.activeUri(), /^onnx-text:/);
  });

  check('explains its values, and leads to where they are made', async () => {
    const [made] = await vs.placeOf('scores  = MatMul', '');
    await vs.goTo(...(await vs.placeOf('Softmax(masked)', 'Softmax(m')));
    await vs.hover(/float\[batch, 4, 128, 128\]/);
    await vs.goTo(...(await vs.placeOf('Add(scores, mask)', 'Add(sco')));
    await vs.page.keyboard.press('F12');
    await vs.cursorAt(made);
  });

  check('has a graph around the cursor, in which the failing edge is marked', async () => {
    const [softmax] = await vs.placeOf('Softmax(masked)', '');
    await vs.goTo(...(await vs.placeOf('Add(scores, mask)', 'A')));
    await vs.command('onnxls: Show Graph around Cursor');
    const page = await vs.webview('svg .node.center');
    await vs.until('the node at the cursor', async () => (await page.locator('.node.center').textContent()).includes('Add'));
    assert.ok((await page.locator('.edge.failing').count()) > 0);
    assert.match(await page.locator('svg').textContent(), /float\[batch, 4, /);
    await vs.shot('graph');
    await page.locator('.node', { hasText: 'Softmax' }).first().click();
    await vs.cursorAt(softmax);
    await vs.until('the graph around the other node', async () => (await page.locator('.node.center').textContent()).includes('Softmax'));
    await vs.page.locator('.tab', { hasText: 'Graph' }).locator('.tab-actions .action-label').click();
  });

  check('is read again when its file changes', async () => {
    makeModels(2);
    await vs.until('the new nodes', async () => (await vs.line('[relu_1]')).includes('Relu(rest_0)'));
  });

  check('whose name has blanks and accents opens, too', async () => {
    await vs.file('my models').click();
    await vs.openFile('r\u00e9sum\u00e9');
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0);
    assert.match(decodeURIComponent(await vs.activeUri()), /r\u00e9sum\u00e9 \u00e9\.onnx$/);
  });

  check('that is closed has its problems once', async () => {
    await vs.command('View: Close All Editors');
    await vs.until('one problem a model', async () => {
      const places = (await vs.problems()).filter((problem) => problem.includes('`Add` apply_mask'));
      return places.length === 2 && places.every((problem) => problem.includes('Ln 1, Col 1'));
    });
    await vs.jumpToProblem('`Add` apply_mask');
    await vs.until('its text', async () => (await vs.line('apply_mask')).includes('Add(scores, mask)'));
    assert.match(await vs.activeUri(), /^onnx-text:/);
  });

  check('that is damaged says so', async () => {
    await vs.openFile('broken.onnx');
    await vs.until('its text', async () => (await vs.line('cannot be shown')) !== '');
    await vs.until('a problem', async () => /damaged|no ONNX model/.test((await vs.problems()).join()));
    await vs.shot('broken');
  });
});

describe('the server', () => {
  check('comes back when it is killed', async () => {
    await vs.openFile('rows.py');
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0);
    const [killed] = servers();
    process.kill(killed, 'SIGKILL');
    await vs.until('another process', async () => servers().some((process) => process !== killed));
    await vs.goTo(13, 15);
    await vs.page.keyboard.type('X');
    await vs.until('an error about what was typed', async () => (await vs.problems()).join().includes('XSoftmx'));
    await vs.page.keyboard.press('Backspace');
  });

  check('that is missing is missed in words, with the way to install it', async () => {
    setInterpreter(BARE_PYTHON);
    const message = vs.notification('is not installed');
    await message.waitFor();
    assert.match(await message.innerText(), /-m pip install onnxls/);
    await vs.shot('missing');
    assert.equal(await vs.squiggles('warning').count(), 0);
  });

  check('is found when the setting names another Python', async () => {
    setInterpreter(PYTHON);
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0);
    await vs.clearNotifications();
    await vs.command('onnxls: Show Version');
    await vs.notification(PYTHON).waitFor();
    await vs.clearNotifications();
  });

  check('is found in the virtual environment of the workspace, without any setting', async () => {
    symlinkSync(path.dirname(path.dirname(PYTHON)), path.join(WORKSPACE, '.venv'));
    setInterpreter();
    const python = path.join(WORKSPACE, '.venv', 'bin', 'python');
    await vs.until('the Python of the workspace', async () => {
      await vs.command('onnxls: Show Version');
      const found = await vs.notification(python).waitFor({ timeout: 1_000 }).then(() => true, () => false);
      await vs.clearNotifications();
      return found;
    });
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0);
  });

  check('starts nothing of the workspace', async () => {
    for (const file of ['onnx.py', 'json.py', 'sitecustomize.py', 'onnxls.py']) {
      writeFileSync(path.join(WORKSPACE, file), 'open(__file__ + ".was-run", "w")\n');
    }
    const [before] = servers();
    await vs.command('onnxls: Restart Server');
    await vs.until('another process', async () => servers().some((process) => process !== before));
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0);
    assert.deepEqual(readdirSync(WORKSPACE).filter((name) => name.endsWith('was-run')), []);
  });
});

function setInterpreter(...python) {
  mkdirSync(path.join(WORKSPACE, '.vscode'), { recursive: true });
  writeFileSync(path.join(WORKSPACE, '.vscode', 'settings.json'), JSON.stringify({ 'onnxls.interpreter': python }));
}

/** The language servers of this run alone: they work in a folder of its profile. */
function servers() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        const folder = readlinkSync(`/proc/${name}/cwd`);
        return command.includes('onnxls_server.cli\0server') && folder.startsWith(PROFILE);
      } catch {
        return false;
      }
    })
    .map(Number);
}
