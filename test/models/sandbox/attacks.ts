// A program that guards a hostile process and lets it try everything: prints the outcome of each.
// Started by launch.test.ts, as root and as an ordinary user.
import { EventEmitter, once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSandbox } from '../../../models/sandbox/detect.ts';
import { startSandboxed } from '../../../models/sandbox/launch.ts';

export interface Report {
  readonly isolation: ReturnType<typeof findSandbox>['isolation'];
  /** Of the hostile process, as /proc shows them. */
  readonly status: string;
  readonly limits: string;
  /** By the attack's name: what it threw, what it obtained, or that it was ended. */
  readonly outcomes: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const script = join(import.meta.dirname, 'hostile.ts');
const code = [
  script,
  ...['models/sandbox/channel.ts', 'package.json'].map((name) => join(root, name)),
];
const [folder = ''] = process.argv.slice(2);

const secrets = join(folder, 'secrets');
const scratch = join(folder, 'scratch');
for (const path of [secrets, scratch]) mkdirSync(path);
writeFileSync(join(secrets, 'key.pem'), 'the key');
writeFileSync(join(scratch, 'upload'), 'the upload');

const tcp = createServer().listen(0, '127.0.0.1');
const unix = createServer().listen(join(secrets, 'socket'));
const abstract = createServer().listen(`\0svc-test-${process.pid}`);
await Promise.all([tcp, unix, abstract].map((server) => once(server, 'listening')));
const { port } = tcp.address() as AddressInfo;

const connect = (target: string): string => `await new Promise((resolve, reject) =>
  require('node:net').connect(${target}, resolve).once('error', reject))`;
const write = (path: string): string => `require('node:fs').writeFileSync('${path}', 'x')`;
const read = (path: string): string => `return require('node:fs').readFileSync('${path}', 'utf8')`;

const attacks: Readonly<Record<string, string>> = {
  'reads its upload': read(join(scratch, 'upload')),
  'reads the environment': 'return { ...process.env, PWD: undefined }',
  'reads a key': read(join(secrets, 'key.pem')),
  "reads its parent's environment": read(`/proc/${process.pid}/environ`),
  'reads an inherited descriptor':
    'return require("node:fs").readSync(20, Buffer.alloc(9)) ? "read" : "empty"',
  'lists other processes': 'return require("node:fs").readdirSync("/proc")',
  'lists temporary files': 'return require("node:fs").readdirSync("/tmp")',
  'connects by TCP': connect(`{ port: ${port}, host: '127.0.0.1' }`),
  'connects by path': connect(`'${join(secrets, 'socket')}'`),
  'connects by abstract name': connect(`'\\0svc-test-${process.pid}'`),
  listens: `await new Promise((resolve, reject) =>
    require('node:net').createServer().listen(0, resolve).once('error', reject))`,
  'asks for a datagram socket': `await new Promise((resolve, reject) =>
    require('node:dgram').createSocket('udp4').once('error', reject).bind(0, resolve))`,
  'starts a program': `const { error } = require('node:child_process').spawnSync(process.execPath);
    if (error) throw error`,
  'writes to its scratch': write(join(scratch, 'upload')),
  'writes to the temporary folder': write('/tmp/x'),
  'writes to shared memory': write('/dev/shm/x'),
  'writes to its code': write(script),
  'signals its parent': `process.kill(${process.pid}, 0)`,
  'opens too many files':
    'for (let i = 0; i < 400; i += 1) require("node:fs").openSync("/dev/null")',
  'takes too much memory':
    'const all = []; for (let i = 0; i < 40; i += 1) all.push(Buffer.alloc(1e8, 1))',
  'starts too many threads': `const { Worker } = require('node:worker_threads');
    for (let i = 0; i < 64; i += 1) await new Promise((resolve, reject) =>
      new Worker('setInterval(() => {}, 1e6)', { eval: true })
        .once('online', resolve).once('error', reject))`,
  'sends what is no message': `const header = Buffer.from([0, 0, 0, 8]);
    require('node:fs').writeSync(3, Buffer.concat([header, Buffer.alloc(8, 0x41)]))
    await new Promise(() => {})`,
  'sends a message without end': `
    require('node:fs').writeSync(3, Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]))
    await new Promise(() => {})`,
  'sends what its parent does not expect': `
    const body = require('node:v8').serialize(null);
    const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, body.length]);
    require('node:fs').writeSync(3, Buffer.concat([header, body]))
    await new Promise(() => {})`,
  'computes for too long': 'for (;;);',
};

async function start() {
  const limits = { dataBytes: 2 ** 31, openFiles: 256, threads: 32, cpuSeconds: 6 };
  const outcomes = new EventEmitter();
  const hostile = startSandboxed({
    ...{ script, code, scratch, limits, maxMessageBytes: 2 ** 20 },
    onMessage: (message) => {
      outcomes.emit('outcome', (message as { readonly outcome: unknown }).outcome);
    },
  });
  const ended = once(hostile.child, 'exit').then(() => ['was ended']);
  const answer = () => Promise.race([once(outcomes, 'outcome'), ended]);
  await answer();
  return { ...hostile, answer };
}

/** One process for all attacks, and another one whenever an attack has ended it. */
async function tryAll(): Promise<Report['outcomes']> {
  const outcomes: Record<string, string> = {};
  let hostile = await start();
  for (const [name, source] of Object.entries(attacks)) {
    const answered = hostile.answer();
    hostile.send({ code: source });
    const [outcome] = await answered;
    outcomes[name] = String(outcome);
    if (outcome === 'was ended') hostile = await start();
  }
  hostile.kill();
  return outcomes;
}

const observed = await start();
const file = (name: string): string => readFileSync(`/proc/${observed.pid()}/${name}`, 'utf8');
const [status, limits] = [file('status'), file('limits')];
observed.kill();
const report: Report = {
  isolation: findSandbox(code).isolation,
  status,
  limits,
  outcomes: await tryAll(),
};
process.stdout.write(JSON.stringify(report), () => process.exit(0));
