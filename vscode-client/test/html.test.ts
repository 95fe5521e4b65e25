import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../src/html';

test('a page runs its own script alone, and loads nothing', () => {
  const html = page({
    title: '<Graph>',
    style: '',
    body: '<p>',
    scriptUri: 'https://host/a"b.js',
    cspSource: "https://host 'self'",
    nonce: 'n0nce',
  });
  assert.match(html, /content="default-src &#39;none&#39;; style-src &#39;nonce-n0nce&#39;;/);
  assert.match(html, /<title>&lt;Graph&gt;<\/title>/);
  assert.match(html, /src="https:\/\/host\/a&quot;b\.js"/);
});
