// The workbench of VS Code in a browser, as a person uses it: what is on the page is read, and keys are pressed.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];
const POLL_MS = 50;
/** How many times slower this machine is than an idle one with two cores; all waiting is so much longer. */
export const SLOWNESS = Number(process.env.SLOWNESS ?? 1);
const PATIENCE_MS = 20_000;

export class Workbench {
  #profile = mkdtempSync(path.join(tmpdir(), 'chromium-'));

  constructor({ playwright, address, workspace, shots }) {
    this.chromium = createRequire(`${playwright}/`)('playwright-core').chromium;
    Object.assign(this, { address, workspace, shots });
  }

  async launch() {
    this.browser = await this.chromium.launchPersistentContext(this.#profile, {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      headless: true,
      viewport: { width: 1400, height: 900 },
      args: FLAGS,
    });
    this.page = this.browser.pages()[0] ?? (await this.browser.newPage());
    this.page.setDefaultTimeout(PATIENCE_MS * SLOWNESS);
    // Nothing but this machine: the workbench asks for an extension gallery and for experiments.
    await this.browser.route('**', (route) => {
      const { hostname, protocol } = new URL(route.request().url());
      return hostname === '127.0.0.1' || hostname === 'localhost' || protocol === 'data:' || protocol === 'blob:'
        ? route.continue()
        : route.abort();
    });
  }

  async close() {
    await this.browser?.close();
    rmSync(this.#profile, { recursive: true, force: true });
  }

  /** Opens the folder of the workspace, with a file of it in an editor. */
  async openFolder(file) {
    const query = new URLSearchParams({ folder: this.workspace });
    if (file) {
      const { host } = new URL(this.address);
      query.set('payload', JSON.stringify([['openFile', `vscode-remote://${host}${path.join(this.workspace, file)}`]]));
    }
    await this.page.goto(`${this.address}/?${query}`);
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 * SLOWNESS });
  }

  async until(what, look, patience = PATIENCE_MS) {
    const end = Date.now() + patience * SLOWNESS;
    let last;
    while (Date.now() < end) {
      last = await look().catch((error) => error);
      if (last && !(last instanceof Error)) return last;
      await this.page.waitForTimeout(POLL_MS);
    }
    throw new Error(`not seen within ${(patience * SLOWNESS) / 1000} s: ${what}; last seen: ${last}`);
  }

  /** Puts the mouse where it raises no hover. */
  async #restMouse() {
    const { width, height } = this.page.viewportSize();
    await this.page.mouse.move(width / 2, height - 12);
  }

  async shot(name) {
    await this.#restMouse();
    await this.page.screenshot({ path: path.join(this.shots, `${name}.png`) });
  }

  async command(title) {
    await this.#ask(`>${title}`);
    await this.#choice(title).click();
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.#restMouse();
  }

  /** A command that an extension contributes is in the palette once the extension is registered. */
  async extensionReady(title) {
    await this.until(`the command ${title}`, async () => {
      await this.#ask(`>${title}`);
      const ready = await this.#choice(title).waitFor({ timeout: 500 }).then(() => true, () => false);
      await this.page.keyboard.press('Escape');
      return ready;
    });
  }

  async #ask(text) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget:visible input').first();
    await input.waitFor();
    await input.fill(text);
  }

  /** A row is labelled with its title, and after a comma with its keys. */
  #choice(title) {
    const row = '.quick-input-list .monaco-list-row';
    return this.page.locator(`${row}[aria-label="${title}"], ${row}[aria-label^="${title},"]`).first();
  }

  file(name) {
    return this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  }

  async openFile(name) {
    await this.file(name).click();
    await this.until(`a tab ${name}`, async () => (await this.activeTab()).includes(name));
    await this.#restMouse();
  }

  async activeTab() {
    return (await this.page.locator('.editor-group-container.active .tab.active').first().getAttribute('data-resource-name')) ?? '';
  }

  editor() {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor[data-uri]').first();
  }

  async activeUri() {
    return (await this.editor().getAttribute('data-uri')) ?? '';
  }

  /** The lines that are shown, no others, with their inlay hints; blanks are plain. */
  async lines() {
    const all = await this.editor().locator('.view-line').evaluateAll((elements) =>
      elements
        .map((element) => [parseFloat(element.style.top), element.textContent])
        .sort(([one], [other]) => one - other)
        .map(([, text]) => text),
    );
    return all.map((line) => line.replaceAll('\u00a0', ' '));
  }

  /** The place in the editor, counted from 1, of the end of `part` in the line that contains `line`, which is shown. */
  async placeOf(line, part) {
    const [number, text] = await this.editor().evaluate((editor, wanted) => {
      const plain = (element) => element.textContent.replaceAll('\u00a0', ' ');
      const found = [...editor.querySelectorAll('.view-line')].find((element) => plain(element).includes(wanted));
      const margins = [...editor.querySelectorAll('.margin-view-overlays > div')];
      const margin = margins.find((element) => element.style.top === found.style.top);
      return [Number(margin.querySelector('.line-numbers').textContent), plain(found)];
    }, line);
    return [number, text.indexOf(part) + part.length + 1];
  }

  async line(part) {
    return (await this.lines()).find((line) => line.includes(part)) ?? '';
  }

  squiggles(severity) {
    return this.editor().locator(`.squiggly-${severity}`);
  }

  async cursor() {
    return this.page.locator('.statusbar-item', { hasText: /Ln \d+/ }).first().innerText();
  }

  async cursorAt(line, column) {
    const place = column === undefined ? `Ln ${line},` : `Ln ${line}, Col ${column}`;
    return this.until(`the cursor at ${place}`, async () => (await this.cursor()).startsWith(place));
  }

  /** Lines and columns count from 1. */
  async goTo(line, column) {
    const input = this.page.locator('.quick-input-widget:visible input').first();
    // An editor or a view that opens late takes the focus, and the field is gone: a person presses the keys again.
    await this.until('the field for a line', async () => {
      await this.page.keyboard.press('Control+g');
      const filled = input.fill(`:${line}:${column}`, { timeout: 3_000 });
      return filled.then(() => true, () => false);
    });
    await this.page.keyboard.press('Enter');
    await this.cursorAt(line, column);
  }

  /** Waits for a hover at the cursor that says `expected`. */
  async hover(expected, shot) {
    const contents = this.page.locator('.monaco-hover:not(.hidden) .hover-contents');
    await this.command('Show or Focus Hover');
    await this.until(`a hover that says ${expected}`, async () => expected.test((await contents.allInnerTexts()).join('\n')));
    if (shot) await this.shot(shot);
    await this.page.keyboard.press('Escape');
  }

  async problems() {
    return this.page.locator('.markers-panel .monaco-list-row').allInnerTexts();
  }

  problem(part) {
    return this.page.locator('.markers-panel .monaco-list-row', { hasText: part }).first();
  }

  /** At its beginning, since the code of its rule is a link. */
  async jumpToProblem(part) {
    await this.problem(part).dblclick({ position: { x: 80, y: 10 } });
  }

  notification(part) {
    return this.page.locator('.notification-toast', { hasText: part }).first();
  }

  async clearNotifications() {
    await this.command('Notifications: Clear All Notifications');
  }

  status() {
    return this.page.locator('#onnxls\\.onnxls\\.onnxls\\.status, .statusbar-item[id$="onnxls.status"]').first();
  }

  /** The page inside of the webview that holds `selector`. */
  async webview(selector) {
    return this.until(`a page with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if (frame.isDetached() || !frame.url().includes('fake.html')) continue;
        if ((await frame.locator(selector).count()) > 0) return frame;
      }
      return undefined;
    });
  }
}
