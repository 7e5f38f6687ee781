// The roles of a manifest, started beside each other on real servers: prepared, ready, called and
// ended in order.
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { findFreePorts } from '../../bin/stack/ports.ts';
import { stopChild } from '../support/stop-child.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { testServers } from '../support/environment.ts';
import { startContainer, type Image } from './image.ts';
import type { Places, RolePod } from './pods.ts';
import { root } from './tools.ts';

const readyWithinMs = 240_000;

interface Running {
  readonly pod: RolePod;
  readonly child: ChildProcess;
  readonly probes: string;
  /** What it has said last. */
  readonly last: () => string;
}

/**
 * Runs the set-up of the pods, then every other one, and calls the API.
 * @param podsOf of a manifest, with the addresses of this machine's servers
 * @throws where a role is not ready, the call fails, or a process does not end by itself
 */
export async function runRoles(
  t: Cleanup,
  image: Image,
  folder: string,
  podsOf: (places: Places) => readonly RolePod[],
): Promise<void> {
  const { s3, temporalAddress } = testServers();
  const bucket = `roles-${randomBytes(6).toString('hex')}`;
  const pods = podsOf({ temporal: temporalAddress, storage: s3.endpoint, bucket });
  const start = createStarter(t, image, folder);
  const [setUp, ...others] = pods.toSorted((a, b) => rank(a) - rank(b));
  const key = await prepared(start(setUp!, {}));
  const [api = 0, streams = 0] = await findFreePorts(2);
  const roles = await Promise.all(others.map((pod) => started(pod, { api, streams, start })));
  await Promise.all(roles.map(untilReady));
  await call(`http://127.0.0.1:${api}`, key);
  await Promise.all(roles.map(endInOrder));
}

const rank = ({ args }: RolePod): number => (args[0] === 'setup' ? 0 : 1);

type Start = (pod: RolePod, ports: Readonly<Record<string, string>>) => ChildProcess;

/** Containers of one manifest share their secrets. */
function createStarter(t: Cleanup, image: Image, folder: string): Start {
  const secrets = makeSecrets(folder);
  return (pod, ports) => {
    const visible = join(mkdtempSync(join(folder, 'secrets-')));
    for (const name of pod.secrets) {
      writeFileSync(join(visible, name), secrets[name] ?? '', { mode: 0o444 });
    }
    chmodSync(visible, 0o755);
    const child = startContainer(image, {
      args: pod.args,
      // Pods have an address each; processes of this machine share one, so each has ports.
      environment: { ...pod.environment, SVC_INFERENCE_PROCESSES: '1', ...ports },
      volumes: { '/models': testServers().modelsDirectory, [pod.secretsFolder]: visible },
    });
    t.teardown(() => stopChild(child));
    return child;
  };
}

function makeSecrets(folder: string): Readonly<Record<string, string>> {
  mkdirSync(folder, { recursive: true });
  const { databaseOwnerUrl, s3 } = testServers();
  const name = `roles_${randomBytes(6).toString('hex')}`;
  const owner = new URL(databaseOwnerUrl);
  owner.pathname = `/${name}`;
  const service = new URL(owner.href);
  service.username = name;
  service.password = randomBytes(12).toString('hex');
  return {
    'database-url': service.href,
    'database-owner-url': owner.href,
    'secrets-key': randomBytes(32).toString('base64'),
    's3-access-key-id': s3.accessKeyId,
    's3-secret-access-key': s3.secretAccessKey,
  };
}

/** @returns the first key, which set-up prints */
async function prepared(setUp: ChildProcess): Promise<string> {
  let printed = '';
  setUp.stdout!.on('data', (data: Buffer) => (printed += data.toString()));
  const [code] = (await once(setUp, 'close')) as [number | null];
  if (code !== 0) throw new Error(`set-up ended with ${code}:\n${printed}`);
  return printed.trimEnd().split('\n').at(-1)!;
}

async function started(
  pod: RolePod,
  { api, streams, start }: { api: number; streams: number; start: Start },
): Promise<Running> {
  const [metrics = 0] = await findFreePorts(1);
  const role = pod.args[0];
  const child = start(pod, {
    SVC_METRICS_PORT: String(metrics),
    ...(role === 'api' && {
      SVC_PORT: String(api),
      SVC_STREAM_ADDRESS: `127.0.0.1:${streams}`,
    }),
    ...(role === 'stream-worker' && { SVC_STREAM_PORT: String(streams) }),
  });
  let last = '';
  child.stdout!.on('data', (data: Buffer) => (last = (last + data.toString()).slice(-2_000)));
  return { pod, child, probes: `http://127.0.0.1:${metrics}`, last: () => last };
}

async function untilReady({ pod, child, probes, last }: Running): Promise<void> {
  const end = performance.now() + readyWithinMs;
  for (;;) {
    const answer = await fetch(`${probes}/readyz`).catch(() => null);
    if (answer?.ok) break;
    if (child.exitCode !== null) {
      throw new Error(`${pod.name} ended with ${child.exitCode}: ${last()}`);
    }
    if (performance.now() > end) {
      throw new Error(`${pod.name} is not ready: ${(await answer?.text()) ?? 'no answer'}`);
    }
    await sleep(250);
  }
  const { status } = await fetch(`${probes}/livez`);
  if (status !== 200) throw new Error(`${pod.name}: /livez answers ${status}`);
}

async function call(base: string, key: string): Promise<void> {
  const form = new FormData();
  const recording = readFileSync(join(root, 'samples', 'call.mp3'));
  form.set('file', new Blob([new Uint8Array(recording)]), 'call.mp3');
  const answer = await fetch(`${base}/v1/audio/transcriptions`, {
    ...{ method: 'POST', headers: { Authorization: `Bearer ${key}` }, body: form },
  });
  const text = await answer.text();
  if (answer.status !== 200 || !/customer service/.test(text)) {
    throw new Error(`the call was answered ${answer.status}: ${text.slice(0, 500)}`);
  }
}

/** The process that bwrap starts is the first of its namespace: a signal to bwrap would kill it. */
async function endInOrder({ pod, child }: Running): Promise<void> {
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const began = performance.now();
  signalInside(child.pid!);
  const inTime = await Promise.race([ended, sleep(pod.graceSeconds * 1_000, null)]);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  if (inTime?.[0] !== 0) throw new Error(`${pod.name} did not end in order in ${seconds} s`);
}

/** Sends SIGTERM to the program, below bwrap and the first process of its namespace. */
function signalInside(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const child of children.filter(Boolean).map(Number)) {
    const below = readFileSync(`/proc/${child}/task/${child}/children`, 'utf8').trim();
    for (const program of below.split(' ').filter(Boolean))
      process.kill(Number(program), 'SIGTERM');
  }
}
