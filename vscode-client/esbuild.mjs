// Bundles the extension and the scripts of its pages into dist/; with --tests the unit tests instead.
import { rmSync } from 'node:fs';
import esbuild from 'esbuild';

const tests = process.argv.includes('--tests');
const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const common = { bundle: true, minify: production, sourcemap: !production && 'linked', logLevel: 'warning' };

rmSync('dist', { recursive: true, force: true });
const builds = tests
  ? [{ ...common, entryPoints: ['test/*.test.ts'], outdir: 'dist/test', platform: 'node', target: 'node20' }]
  : [
      {
        ...common,
        entryPoints: ['src/extension.ts'],
        outdir: 'dist',
        platform: 'node',
        target: 'node20',
        external: ['vscode'],
      },
      { ...common, entryPoints: ['src/pages/trySizes.ts', 'src/pages/graph.ts'], outdir: 'dist/pages', platform: 'browser', target: 'es2022' },
    ];
for (const build of builds) {
  if (watch) await (await esbuild.context(build)).watch();
  else await esbuild.build(build);
}
