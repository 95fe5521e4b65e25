import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOlder } from '../src/versions';

test('versions are compared by numbers, not by text', () => {
  assert.equal(isOlder('0.9.0', '0.10.0'), true);
  assert.equal(isOlder('0.10.0', '0.9.0'), false);
  assert.equal(isOlder('1.0', '1.0.0'), false);
  assert.equal(isOlder('1.0', '1.0.1'), true);
});

test('a pre-release counts as its release, an epoch and a local part do not count', () => {
  assert.equal(isOlder('0.1.0rc1', '0.1.0'), false);
  assert.equal(isOlder('0.1.0.dev3+g1234', '0.1.0'), false);
  assert.equal(isOlder('1!0.1', '0.2'), true);
});

test('what is no version is older than any', () => {
  assert.equal(isOlder('unknown', '0.0.1'), true);
});
