// `npm run bench [-- NAME ... --record]`: the ratios of docs/benchmarks, each side in the same run,
// with the English bundle that `SVC_ENGLISH_BUNDLE` names; `--record` appends the figures to
// docs/benchmarks/history.csv. A NAME that there is not is answered with those there are.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { defaultEnglishBundle } from '../../models/bundles/english-bundles.ts';
import { createInferencePool } from '../../models/inference/pool.ts';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import { namesAsked } from '../runner/arguments.ts';
import { startServices } from '../runner/services.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { testServers } from '../support/environment.ts';
import { testStack, untilReady, type TestStack } from '../support/stack.ts';
import { measureBatch, measureCallers, measureMixedBatch } from './batch.ts';
import { measureDecode } from './decode.ts';
import { measureDiarization } from './diarization.ts';
import { measureCall, measureClip } from './end-to-end.ts';
import { figuresOf, type Measured } from './figures.ts';
import { figuresBefore, historyLines, machineOf, ratioRow, tableHead } from './history.ts';
import { measureLive, type LiveLatency } from './live.ts';
import { measureMemory } from './memory.ts';
import { measurePeers } from './peers.ts';
import { startReferencePool } from './reference-pool.ts';
import type { Ratio } from './ratio.ts';
import { measureStackMemory } from './stack-memory.ts';
import { measureManyStreams, measureStream, type ManyStreams } from './stream.ts';
import { measureUpload } from './upload.ts';

const names = [
  'decode',
  'upload',
  'diarization',
  'clip',
  'call',
  'stream',
  'live',
  'batch',
  'memory',
  'peers',
];
const isRecorded = process.argv.includes('--record');
// Figures of another English bundle would be those of another measure.
if (isRecorded && process.env.SVC_ENGLISH_BUNDLE) throw new Error('only the default is recorded');
const asked = process.argv.slice(2).filter((name) => name !== '--record');
const wanted = new Set(namesAsked(asked, names));
const longMinutes = 60;

// A stack of its own, as an operator starts it, with nothing else running.
const stackMemory = wanted.has('memory') ? await measureStackMemory() : null;
const cleanup = collectCleanup();
const services = await startServices();
cleanup.teardown(() => services.stop());
Object.assign(process.env, services.environment);
const ratios: Ratio[] = [];
const historyPath = new URL('../../docs/benchmarks/history.csv', import.meta.url);
const history = readFileSync(historyPath, 'utf8');
const report = (rows: readonly Ratio[]): void => {
  ratios.push(...rows);
  for (const row of rows) console.log(ratioRow(row, figuresBefore(history, row.name)));
};

try {
  const stack = await testStack(cleanup, {
    patient: false,
    worker: false,
    answerDeadlineMs: 600_000,
    allowanceSeconds: 10_000_000,
    streamEnvironment: { SVC_INFERENCE_PROCESSES: '2' },
  });
  console.log(tableHead);
  // Without a worker beside them.
  if (wanted.has('upload')) report([await measureUpload(stack.objects)]);
  if (wanted.has('diarization')) report([await measureDiarization(7)]);
  const worker = await stack.startWorker();
  const { modelsDirectory } = testServers();
  const englishBundle = process.env.SVC_ENGLISH_BUNDLE || defaultEnglishBundle;
  const pool = createInferencePool({ modelsDirectory, englishBundle, processes: 2 });
  cleanup.teardown(() => pool.close());
  await Promise.all([pool.ready(), untilReady(stack)]);
  // A worker that is still starting would use cores during the measurement.
  await sleep(1_000);
  if (wanted.has('decode')) report(await measureDecode());
  if (wanted.has('clip') || wanted.has('call')) {
    const yardstick = await startReferencePool(modelsDirectory, pool.size);
    const call = { minutes: 10, rounds: 7, gate: '<= 0.90' };
    if (wanted.has('clip')) report(await measureClip(stack, { pool, yardstick }, 200));
    if (wanted.has('call')) report([await measureCall(stack, yardstick, call)]);
    yardstick.close();
  }
  if (wanted.has('batch')) {
    report(await measureBatch(stack, pool, { items: 1_000, rounds: 3 }));
    report(await measureMixedBatch(stack, pool, { items: 400, rounds: 3 }));
    report(await measureCallers(stack, pool, 100));
  }
  if (wanted.has('peers')) report(await measurePeers(stack));
  const streams = wanted.has('stream') ? await measureStreams(stack, pool) : null;
  const live = wanted.has('live') ? await measureLiveStreams(stack, pool) : null;
  const memory = wanted.has('memory')
    ? await measureMemory(stack, worker.pid ?? 0, longMinutes)
    : null;
  const measured = { ratios, streams, live, memory, stackMemory };
  console.log(JSON.stringify(measured, null, 2));
  if (isRecorded) record(measured);
} finally {
  await cleanup.finish();
}
process.exit(0);

function record(measured: Measured): void {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', ':!docs/benchmarks');
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${changes === '' ? '' : '-dirty'}`;
  const cpuInfo = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  const machine = machineOf(cpuInfo, process.arch);
  const run = { date: new Date().toISOString().slice(0, 10), commit, machine };
  appendFileSync(historyPath, historyLines(run, figuresOf(measured)));
}

async function measureStreams(stack: TestStack, pool: InferencePool): Promise<ManyStreams> {
  await stack.startStreamWorker();
  report([await measureStream(stack, pool, 5)]);
  return measureManyStreams(stack, 32);
}

/** One stream of each kind, then four of one kind at once. */
async function measureLiveStreams(
  stack: TestStack,
  pool: InferencePool,
): Promise<readonly LiveLatency[] | null> {
  if (!process.env.SPEECH_DATA_DIR) {
    console.log('live: it needs the recordings of SPEECH_DATA_DIR');
    return null;
  }
  if (stack.streamWorkers.length === 0) await stack.startStreamWorker();
  return [
    await measureLive(stack, pool, { stream: 'lite', streams: 1 }),
    await measureLive(stack, pool, { stream: 'spectra', streams: 1 }),
    await measureLive(stack, pool, { stream: 'lite', streams: 4 }),
  ];
}
