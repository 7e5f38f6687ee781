// docs/capacity.md has the figures that `svc capacity` computes with, and these are those of
// docs/benchmarks/speed.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { estimate } from '../../bin/capacity/estimate.ts';
import {
  coreSecondsPerClip,
  coreSecondsPerHour,
  coreSecondsPerRecording,
  idleClipMs,
  measuredOn,
  type CapacityTask,
} from '../../bin/capacity/measured.ts';

const documents = join(import.meta.dirname, '..', '..', 'docs');
const read = (path: string): readonly string[] =>
  readFileSync(join(documents, path), 'utf8').split('\n');

/** The rows of the table with this first column. */
function tableOf(lines: readonly string[], firstColumn: string): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith(`| ${firstColumn} |`));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end);
}

const capacity = read('capacity.md');

test('docs/capacity.md has the costs of bin/capacity/measured.ts', (t) => {
  const minute = (task: CapacityTask, name: string): string =>
    `| ${name} | ${(coreSecondsPerHour[task] / 60).toPrecision(2)} | ${measuredOn[task]} |`;
  const beside = coreSecondsPerRecording.toFixed(3);
  t.deepEqual(tableOf(capacity, 'work, core-seconds'), [
    minute('emotion', 'scores, a minute of audio'),
    minute('transcription', 'transcription, a minute'),
    minute('analysis', 'diarized analysis with logits, a minute'),
    minute('analysis-whisper', 'the same in another language (Whisper)'),
    `| a clip of 2 s in a batch, with words | ${coreSecondsPerClip.toFixed(3)} ` +
      `(${beside} of it beside the audio) | ${measuredOn.clips} |`,
  ]);
  const { p50, p95 } = idleClipMs;
  const latency = `${p50} ms (p50) and ${p95} ms (p95) after its request (${measuredOn.clips})`;
  t.true(capacity.join(' ').includes(latency));
});

test('docs/capacity.md has what `svc capacity` estimates', (t) => {
  const row = (perHour: number, duration: string, task: CapacityTask): string => {
    const seconds = Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60 : 1);
    const load = { task, seconds, recordingsPerHour: perHour, uploadBytesPerSecond: 4_000 };
    const found = estimate({ ...load, utilization: 0.6 });
    return [
      `| ${perHour.toLocaleString('en')} of ${duration}, \`${task}\` | ${found.cores} `,
      ` ${found.storageMegabytesPerSecond.toFixed(0)} MB/s `,
      ` ${found.temporalEventsPerSecond.toFixed(0)} events/s `,
      ` ${(found.ledgerRowsPerHour / 1_000).toFixed(1)} thousand rows an hour |`,
    ].join('|');
  };
  t.deepEqual(tableOf(capacity, 'load in the busiest hour'), [
    row(2_000, '5m', 'transcription'),
    row(2_000, '5m', 'analysis'),
    row(2_000, '5m', 'analysis-whisper'),
    row(10_000, '5m', 'analysis'),
    row(100_000, '10s', 'emotion'),
  ]);
});

test('the costs are those of docs/benchmarks/speed.md', (t) => {
  const speed = read('benchmarks/speed.md');
  const cell = (start: string, content: string): void => {
    const row = speed.find((line) => line.startsWith(`| ${start}`)) ?? '';
    t.true(row.includes(content), `${start}: ${content}`);
  };
  const { transcription, analysis } = coreSecondsPerHour;
  cell('60 minutes, transcription |', `38.2 s, ${transcription} |`);
  cell('60 minutes, analysis', `69.1 s, ${analysis} |`);
  cell('60 minutes of Spanish prompts, 0.5 s', `to ${coreSecondsPerHour['analysis-whisper']} |`);
  cell('a chunk of 3 s, scores alone', `| ${(coreSecondsPerHour.emotion / 1_200) * 1_000} / 52 ms`);
  cell('1,000 clips of 2 s as one batch', `| ${(coreSecondsPerClip * 1_000) / 2} s |`);
  cell('idle, 100 ms after', `| ${idleClipMs.p50} / ${idleClipMs.p95} ms`);
});
