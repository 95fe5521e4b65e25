import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { probe, readAnswer } from '../src/probe';

test('an answer is the last line', () => {
  const answer = { executable: '/usr/bin/python3', version: '0.1.0' };
  assert.deepEqual(readAnswer(`hello\r\n${JSON.stringify(answer)}\r\n`), { runs: true, ...answer });
  assert.deepEqual(readAnswer('{"executable": "/p", "version": null}'), { runs: true, executable: '/p', version: null });
});

test('other answers are no answers', () => {
  for (const stdout of ['', 'Python 2.7', '[]', 'null', '{"executable": 3, "version": "1"}', '{"executable": "/p"}']) {
    assert.equal(readAnswer(stdout).runs, false, stdout);
  }
});

test('a program that is not there does not run', async () => {
  assert.deepEqual(await probe(['/no/such/python'], tmpdir()), { runs: false, reason: 'there is no such program' });
});

test('a program that fails tells why', { skip: process.platform === 'win32' }, async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'probe-'));
  context.after(() => { rmSync(folder, { recursive: true }); });
  const program = path.join(folder, 'python');
  writeFileSync(program, '#!/bin/sh\necho "first line" >&2\necho "unknown option -I" >&2\nexit 2\n');
  chmodSync(program, 0o755);
  assert.deepEqual(await probe([program], folder), { runs: false, reason: 'unknown option -I' });
});
