import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GuardInfo } from '../src/protocol';
import { readField, readFields, summary } from '../src/sizes';

const guard = (state: GuardInfo['state'], kind = 'assert'): GuardInfo => ({
  text: 'N % 2 == 0',
  kind,
  reason: '',
  node: 'Reshape',
  range: null,
  state,
});

test('a field holds a size, nothing, or what is no size', () => {
  assert.deepEqual(readField(' 12 '), { kind: 'size', size: 12 });
  assert.deepEqual(readField('0'), { kind: 'size', size: 0 });
  assert.deepEqual(readField('  '), { kind: 'empty' });
  for (const text of ['-1', '1.5', '1e3', '0x10', 'N', '9007199254740993']) {
    assert.deepEqual(readField(text), { kind: 'wrong' }, text);
  }
});

test('fields that are not filled are no sizes', () => {
  assert.deepEqual(readFields({ N: '4', H: '' }), { N: 4 });
  assert.equal(readFields({ N: '', H: ' ' }), null);
  assert.equal(readFields({ N: '4', H: 'many' }), undefined);
});

describe('summary', () => {
  test('an operator that refuses is told first', () => {
    assert.equal(summary([guard('fails'), guard('unknown'), guard('fails', 'expect')]), 'Does not run: 1 condition fails.');
    assert.equal(summary([guard('fails'), guard('fails')]), 'Does not run: 2 conditions fail.');
  });

  test('a branch not taken is no failure', () => {
    assert.match(summary([guard('fails', 'expect'), guard('holds')]), /^Runs, but/);
  });

  test('open and held conditions', () => {
    assert.equal(summary([]), 'Runs for all sizes.');
    assert.equal(summary([guard('unknown'), guard('holds')]), '1 condition is open.');
    assert.equal(summary([guard('holds')]), 'Runs: its condition holds.');
    assert.equal(summary([guard('holds'), guard('holds')]), 'Runs: all 2 conditions hold.');
  });
});
