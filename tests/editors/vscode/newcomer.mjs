// What a newcomer sees who has followed the README: an editor that nobody has set anything in, and a model in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOWNESS, Workbench } from './workbench.mjs';

const { PLAYWRIGHT, ADDRESS, WORKSPACE, FILE, SHOTS, STARTED } = process.env;
const FIRST_FINDING_S = 180;

test('the first finding', async (context) => {
  const vs = new Workbench({ playwright: PLAYWRIGHT, address: ADDRESS, workspace: WORKSPACE, shots: SHOTS });
  await vs.launch();
  context.after(() => vs.close());
  try {
    await vs.openFolder(FILE);
    await vs.until('that the folder is not trusted yet', async () => (await vs.line('Trust the folder')) !== '', 60_000);
    await vs.shot('newcomer-restricted');
    assert.equal(await vs.page.locator('.notification-toast').count(), 0);
    await vs.status().click();
    const trust = vs.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ }).first();
    await trust.click();
    await vs.page.locator('.workspace-trust-editor', { hasText: 'You trust this folder' }).waitFor();
    await vs.page.locator('.monaco-modal-editor-block .codicon-close, .modal-editor-part .codicon-close').first().click();
    await vs.until('a squiggle', async () => (await vs.squiggles('warning').count()) > 0, 60_000);
    const seconds = Date.now() / 1000 - Number(STARTED);
    await vs.command('Problems: Focus on Problems View');
    await vs.until('a problem', async () => (await vs.problems()).join().includes('fails for height = 8'));
    await vs.shot('newcomer');
    console.log(`first finding: ${seconds.toFixed(0)} s after the first command`);
    assert.ok(seconds < FIRST_FINDING_S * SLOWNESS);
  } catch (error) {
    await vs.shot('newcomer-failed').catch(() => undefined);
    throw error;
  }
});
