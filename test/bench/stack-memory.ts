// Row 12: proportional memory of all that `npm start` runs but npm itself, and of each inference
// process, idle and under mixed load, and what each further file adds.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../bin/stack/ports.ts';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import { eachLimited } from '../../models/concurrency/each-limited.ts';
import { mixedRecordings } from '../support/mixed-recordings.ts';
import { encode, toWav } from '../support/speech.ts';
import { until } from '../support/until.ts';
import { memoryOfTree, summary, totalMiB, type ProcessMemory } from './process-memory.ts';
import { longCall } from './recordings.ts';

/** Sizes in MiB; the gates stand beside them. */
export interface StackMemory {
  readonly idle: Sizes;
  readonly peak: Sizes;
  /** Anonymous, of all inference processes together, after all models have been used. */
  readonly slopeMiBPerFile: number;
}

interface Sizes {
  readonly stackMiB: number;
  readonly largestInferenceMiB: number;
  readonly processes: string;
}

const gates = { idleMiB: 1_536, loadMiB: 2_253, inferenceMiB: 350, slopeMiBPerFile: 0.2 };
const warmFiles = 100;
const files = 200;
/** Sizes are taken between groups: during one they depend on what is being read. */
const groups = 8;
/** Freed memory is returned every ten seconds (`models/memory/return-freed.ts`). */
const returnMs = 12_000;
const callers = 8;
/** After the demonstration: its peak is no part of an idle stack, but what it leaves behind is. */
const settleMs = 10_000;

export async function measureStackMemory(): Promise<StackMemory> {
  const stack = await startStack();
  try {
    await sleep(settleMs);
    const idle = sizes(memoryOfTree(stack.pid));
    let peak = idle;
    const watch = setInterval(() => {
      const now = sizes(memoryOfTree(stack.pid));
      if (now.stackMiB > peak.stackMiB) peak = now;
    }, 1_000);
    const slopeMiBPerFile = await load(stack);
    clearInterval(watch);
    return report({ idle, peak, slopeMiBPerFile });
  } finally {
    await stack.stop();
  }
}

function report(memory: StackMemory): StackMemory {
  const { idle, peak, slopeMiBPerFile } = memory;
  const row = (name: string, value: number, gate: number, unit: string, more = ''): void =>
    console.log(
      `| 12: ${name} | ${value.toFixed(unit === 'MiB' ? 0 : 2)} ${unit} | <= ${gate} |${more}`,
    );
  row('idle stack', idle.stackMiB, gates.idleMiB, 'MiB', ` ${idle.processes} |`);
  row('stack under load', peak.stackMiB, gates.loadMiB, 'MiB', ` ${peak.processes} |`);
  const { inferenceMiB } = gates;
  row('inference process, idle', idle.largestInferenceMiB, inferenceMiB, 'MiB');
  row('inference process, under load', peak.largestInferenceMiB, inferenceMiB, 'MiB');
  row('a further file', slopeMiBPerFile, gates.slopeMiBPerFile, 'MiB a file');
  return memory;
}

function sizes(processes: readonly ProcessMemory[]): Sizes {
  return {
    stackMiB: totalMiB(processes),
    largestInferenceMiB: Math.max(...inferenceOf(processes).map(({ pssMiB }) => pssMiB)),
    processes: summary(processes),
  };
}

function inferenceOf(processes: readonly ProcessMemory[]): readonly ProcessMemory[] {
  return processes.filter(({ name }) => name === 'inference');
}

/**
 * Mixed files of several callers beside a diarized call of ten minutes; then, when every model has
 * been used, as many as the slope is measured over.
 */
async function load(stack: RunningStack): Promise<number> {
  const recordings = await mixedRecordings();
  const call = await encode(toWav(await longCall(10)), 'mp3', ['-b:a', '48k']);
  const send = (count: number): Promise<void> =>
    eachLimited(
      Array.from({ length: count }, (_, i) => i),
      callers,
      (i) => {
        const { file } = recordings[i % recordings.length]!;
        return post(stack, i % 2 === 0 ? 'transcriptions' : 'analysis', file, {});
      },
    );
  const long = post(stack, 'analysis', call, { diarize: 'true', include_logits: 'true' });
  await Promise.all([send(warmFiles), long]);
  const sizesMiB: number[] = [];
  for (let group = 0; group <= groups; group += 1) {
    if (group > 0) await send(files / groups);
    await sleep(returnMs);
    const inference = inferenceOf(memoryOfTree(stack.pid));
    sizesMiB.push(inference.reduce((sum, { anonymousMiB }) => sum + anonymousMiB, 0));
  }
  const shown = sizesMiB.map((size) => size.toFixed(0)).join(', ');
  console.log(`anonymous memory of inference, MiB: ${shown}`);
  return slopeOf(sizesMiB) / (files / groups);
}

/** Of the line through values at equal distances, by least squares. */
function slopeOf(values: readonly number[]): number {
  const centre = (values.length - 1) / 2;
  const weights = values.map((_, i) => i - centre);
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
  return values.reduce((sum, value, i) => sum + value * weights[i]!, 0) / squares;
}

interface RunningStack {
  readonly pid: number;
  readonly base: string;
  readonly key: string;
  stop(): Promise<void>;
}

async function startStack(): Promise<RunningStack> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'svc-memory-'));
  const names = ['SVC_PORT', 'SVC_STREAM_PORT', 'SVC_POSTGRES_PORT', 'SVC_S3_PORT'];
  const servers = [...names, 'SVC_TEMPORAL_PORT', 'SVC_TEMPORAL_UI_PORT'];
  const ports = await findFreePorts(servers.length);
  const env = {
    ...process.env,
    ...Object.fromEntries(servers.map((name, i) => [name, String(ports[i])])),
    SVC_DATA_DIR: dataDirectory,
  };
  // Set-up stays for as long as the stack, and counts.
  const child = spawn(process.execPath, [join(repositoryRoot, 'bin/setup.mjs'), 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilServing(child);
  return {
    pid: child.pid!,
    base: `http://127.0.0.1:${ports[0]}`,
    key: readFileSync(join(dataDirectory, 'demo-key'), 'utf8').trim(),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function untilServing(child: ChildProcess): Promise<void> {
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the stack did not start:\n${printed}`);
    return /^Serving\./m.test(printed);
  });
}

async function post(
  { base, key }: RunningStack,
  task: string,
  file: Buffer,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const form = new FormData();
  form.set('model', 'svc-resonance');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([Uint8Array.from(file)]), 'recording');
  const response = await fetch(`${base}/v1/audio/${task}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  const text = await response.text();
  // One of the recordings is broken, which is the caller's fault.
  if (response.status >= 500) throw new Error(`${response.status} ${text}`);
}
