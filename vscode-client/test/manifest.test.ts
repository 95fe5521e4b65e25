// The manifest and the sources speak of the same commands, views and settings.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string }[];
    views: Record<string, { id: string }[]>;
    configuration: { properties: Record<string, { description?: string; markdownDescription?: string }> }[];
    walkthroughs: { steps: { media: { markdown: string } }[] }[];
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const sources = readdirSync('src')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');

test('each command is carried out', () => {
  for (const { command } of manifest.contributes.commands) {
    assert.ok(sources.includes(`registerCommand('${command}'`), command);
  }
});

test('each view is made', () => {
  for (const { id } of Object.values(manifest.contributes.views).flat()) assert.ok(sources.includes(`'${id}'`), id);
});

test('each setting is described', () => {
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  for (const [name, { description, markdownDescription }] of settings) {
    assert.match(name, /^onnxls\./);
    assert.ok(description ?? markdownDescription, name);
  }
});

test('pages of the walkthrough are there', () => {
  for (const { media } of manifest.contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    assert.ok(readFileSync(media.markdown, 'utf8').length > 0);
  }
});
