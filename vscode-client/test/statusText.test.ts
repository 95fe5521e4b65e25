import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusText } from '../src/statusText';

const status = { busy: false, findings: 0, version: '0.1.0', hints: {} };
const name = (uri: string) => uri.replace('file:///work/', '');

test('states of the server', () => {
  assert.match(statusText('restricted', null, name).tooltip, /Trust the folder/);
  assert.match(statusText('starting', null, name).label, /spin/);
  assert.equal(statusText('failed', status, name).severity, 'error');
  assert.equal(statusText('running', status, name).label, '$(check) onnxls');
});

test('findings, work in progress, and version', () => {
  assert.equal(statusText('running', { ...status, findings: 3 }, name).label, '$(warning) onnxls 3');
  const busy = statusText('running', { ...status, busy: true, findings: 1 }, name);
  assert.equal(busy.label, '$(sync~spin) onnxls 1');
  assert.match(busy.tooltip, /onnxls 0\.1\.0\*\* is analysing/);
  assert.match(busy.tooltip, /1 finding$/);
});

test('sizes in force, with names that are no Markdown', () => {
  const hints = { 'file:///work/a.py': { N: 4, 'x[0]': 2 }, 'file:///work/b.py': {} };
  const { tooltip } = statusText('running', { ...status, hints }, name);
  assert.match(tooltip, /Sizes in force in a\\\.py: N = 4, x\\\[0\\\] = 2$/);
  assert.doesNotMatch(tooltip, /b\\\.py/);
});
