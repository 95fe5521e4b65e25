import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  admissible,
  choose,
  environmentsIn,
  explain,
  fromSetting,
  serverCommand,
  type Candidate,
  type Probed,
  type Rejected,
} from '../src/interpreters';

const candidate = (command: string, source = 'on PATH'): Candidate => ({ command: [command], source });
const rejected = (command: string, trouble: Rejected['trouble'], detail = ''): Rejected => ({
  ...candidate(command),
  trouble,
  detail,
});

describe('choosing', () => {
  const answers: Record<string, Probed> = {
    '/bare': { runs: true, executable: '/bare', version: null },
    '/old': { runs: true, executable: '/old', version: '0.0.9' },
    '/good': { runs: true, executable: '/usr/good', version: '0.1.0' },
    '/better': { runs: true, executable: '/better', version: '9.0' },
  };
  const probe = ([command]: readonly [string, ...string[]]): Promise<Probed> =>
    Promise.resolve(answers[command] ?? { runs: false, reason: 'there is no such program' });

  test('takes the first that has the package, and asks none after it', async () => {
    const asked: string[] = [];
    const choice = await choose(['/none', '/bare', '/old', '/good', '/better'].map((name) => candidate(name)), (command) => {
      asked.push(command[0]);
      return probe(command);
    });
    assert.ok(choice.found);
    assert.equal(choice.executable, '/usr/good');
    assert.equal(choice.version, '0.1.0');
    assert.deepEqual(asked, ['/none', '/bare', '/old', '/good']);
  });

  test('says of each why it will not do', async () => {
    const choice = await choose([candidate('/none'), candidate('/bare'), candidate('/old')], probe);
    assert.ok(!choice.found);
    assert.deepEqual(
      choice.rejected.map(({ command, trouble, detail }) => [command[0], trouble, detail]),
      [
        ['/none', 'does-not-run', 'there is no such program'],
        ['/bare', 'missing', ''],
        ['/old', 'too-old', '0.0.9'],
      ],
    );
  });
});

describe('admissible', () => {
  const all = [candidate('/work/.venv/bin/python'), candidate('python3'), candidate('/usr/bin/python3'), candidate('python3')];

  test('repeats are dropped', () => {
    assert.deepEqual(
      admissible(all, ['/work'], true).map(({ command }) => command[0]),
      ['/work/.venv/bin/python', 'python3', '/usr/bin/python3'],
    );
  });

  test('nothing from inside of a workspace that is not trusted', () => {
    assert.deepEqual(
      admissible(all, ['/work'], false).map(({ command }) => command[0]),
      ['python3', '/usr/bin/python3'],
    );
    assert.equal(admissible([candidate('/work2/bin/python')], ['/work'], false).length, 1);
    assert.equal(admissible([candidate('/work/..data/python')], ['/work'], false).length, 0);
  });
});

describe('the setting', () => {
  test('is empty', () => {
    assert.equal(fromSetting([], '/work', '/home/me'), null);
    assert.equal(fromSetting([''], '/work', '/home/me'), null);
  });

  test('knows the workspace folder and the home folder', () => {
    assert.deepEqual(fromSetting(['${workspaceFolder}/.venv/bin/python', '-X', 'dev'], '/work', '/home/me'), [
      '/work/.venv/bin/python',
      '-X',
      'dev',
    ]);
    assert.deepEqual(fromSetting(['~/env/bin/python'], undefined, '/home/me'), ['/home/me/env/bin/python']);
    assert.deepEqual(fromSetting(['/a~b/python'], undefined, '/home/me'), ['/a~b/python']);
  });
});

test('the server runs isolated', () => {
  const command = serverCommand(['/usr/bin/python3', '-X', 'dev'], ['--log-level', 'debug']);
  assert.deepEqual(command.slice(0, 4), ['/usr/bin/python3', '-X', 'dev', '-I']);
  assert.deepEqual(command.slice(-3), ['server', '--log-level', 'debug']);
});

test('environments of a folder', () => {
  assert.deepEqual(environmentsIn('/work', 'linux'), ['/work/.venv/bin/python', '/work/venv/bin/python']);
});

describe('explaining', () => {
  test('a missing package, with the line that installs it', () => {
    const { message, install } = explain([rejected('/no/python', 'does-not-run', 'gone'), rejected('/my env/bin/python', 'missing')], 'linux');
    assert.match(message, /onnxls is not installed in \/my env\/bin\/python \(on PATH\)/);
    assert.equal(install, "'/my env/bin/python' -I -m pip install onnxls");
  });

  test('a package that is too old', () => {
    const { message, install } = explain([rejected('/env/python', 'too-old', '0.0.3')], 'linux');
    assert.match(message, /0\.0\.3 .*too old.* or newer/);
    assert.equal(install, '/env/python -I -m pip install --upgrade onnxls');
  });

  test('PowerShell calls a quoted name with an ampersand', () => {
    const { install } = explain([rejected('C:\\Program Files\\Python\\python.exe', 'missing')], 'win32');
    assert.equal(install, "& 'C:\\Program Files\\Python\\python.exe' -I -m pip install onnxls");
  });

  test('names cannot break out of the quotes', () => {
    assert.equal(explain([rejected("/a'; rm -r x", 'missing')], 'linux').install, "'/a'\\''; rm -r x' -I -m pip install onnxls");
    assert.equal(explain([rejected('$(x)', 'missing')], 'linux').install, "'$(x)' -I -m pip install onnxls");
    assert.equal(explain([rejected("a'b;c", 'missing')], 'win32').install, "& 'a''b;c' -I -m pip install onnxls");
  });

  test('no Python at all, or one that does not run', () => {
    assert.deepEqual(explain([], 'linux').install, null);
    const { message, install } = explain([rejected('/no/python', 'does-not-run', 'there is no such program')], 'linux');
    assert.match(message, /\/no\/python .* does not run: there is no such program/);
    assert.equal(install, null);
  });
});
