// Long results are serialized in a process, to the same text as on the event loop.
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { emotionLabels, styleLabels } from '../../../models/contract/labels.ts';
import { createResultWriter } from '../../../api/results/result-writer.ts';
import { writeResult, type WantedText } from '../../../api/results/write-result.ts';
import type { RecordingResult } from '../../../models/analysis/result/result.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { childrenThatRun } from '../../support/child-processes.ts';
import { countTurns } from '../../support/event-loop.ts';

const origin = {
  organizationId: 'org_1',
  requestId: 'batch_1 0',
  attempt: 1,
  task: 'analysis',
  model: 'svc-resonance',
} as const;

const words = 14;

function stored(segmentCount: number): Buffer {
  const score = (label: string, i: number) => ({ label, score: (i % 97) / 97 });
  const segments = Array.from({ length: segmentCount }, (_, i) => ({
    start: i * 4,
    end: i * 4 + 3.9,
    text: Array(words).fill('grüße').join(' '),
    words: Array.from({ length: words }, (__, word) => {
      return {
        word: 'grüße',
        start: i * 4 + word / 4,
        end: i * 4 + (word + 1) / 4,
        confidence: 0.5,
      };
    }),
    speaker: i % 2,
    emotions: emotionLabels.slice(0, 3).map((label) => score(label, i)),
    styles: styleLabels.slice(0, 3).map((label) => score(label, i)),
    logits: Array.from({ length: 31 }, (__, label) => (i - label) / 7),
  }));
  const result: RecordingResult = {
    version: 2,
    sourceSamples: segmentCount * 4 * 16_000,
    sourceRate: 16_000,
    billableSeconds: segmentCount * 4,
    inferenceMs: 1,
    text: 'grüße',
    language: 'en',
    emotions: [],
    styles: [],
    segments,
    logits: null,
    speakers: 2,
    outline: { peaks: [0.1, 0.9], loudnessDb: [[-20, -21]] },
  };
  return Buffer.from(JSON.stringify(result));
}

const item = { customId: 'call', position: 0, metadata: { queue: 'sales' } };
const channelRoles = ['agent', 'customer'];
const wanted: Readonly<Record<string, WantedText>> = {
  speech: { kind: 'speech' },
  line: { kind: 'line', item, channelRoles },
  export: { kind: 'export', format: 'html', recording: 'call', roles: channelRoles },
};

test.serial(
  'a long result says the same beside the event loop as on it, for all at once',
  async (t) => {
    const writer = createResultWriter();
    t.teardown(() => writer.close());
    const cases = [2, 200].flatMap((segments) =>
      Object.values(wanted).map((want) => ({ segments, want })),
    );
    await Promise.all(
      cases.map(async ({ segments, want }) => {
        const text = await writer.write(stored(segments), origin, want);
        t.is(text.toString(), writeResult(stored(segments), origin, want));
      }),
    );
  },
);

test.serial('the event loop turns while an hour of speech is serialized', async (t) => {
  const writer = createResultWriter();
  t.teardown(() => writer.close());
  const hour = stored(900);
  await writer.write(Buffer.from(hour), origin, wanted.line!);
  const counter = countTurns();
  await writer.write(hour, origin, wanted.line!);
  const turns = counter.stop();
  t.true(turns > 50, `${turns} turns`);
});

test.serial('a result that cannot be read fails alone', async (t) => {
  const writer = createResultWriter();
  t.teardown(() => writer.close());
  const broken = Buffer.alloc(100_000, '[');
  const both = [writer.write(broken, origin, wanted.speech!)];
  both.push(writer.write(stored(200), origin, wanted.speech!));
  const [first, second] = await Promise.allSettled(both);
  t.is(first!.status, 'rejected');
  t.is(second!.status, 'fulfilled');
});

const long = stored(200);
/** One that was killed may still be listed. */
const newestWriter = (): number => childrenThatRun('results/writer-child').at(-1)!;

test.serial('a writer that was killed is replaced, and the result written', async (t) => {
  const writer = createResultWriter();
  t.teardown(() => writer.close());
  const text = writeResult(long, origin, wanted.speech!);
  const write = async () => (await writer.write(long, origin, wanted.speech!)).toString();
  t.is(await write(), text);
  process.kill(newestWriter(), 'SIGKILL');
  t.is(await write(), text, 'before a result');
  const written = write();
  process.kill(newestWriter(), 'SIGKILL');
  t.is(await written, text, 'with a result');
});

test.serial('a writer that answers nothing is replaced, and the result written', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const writer = createResultWriter();
  t.teardown(() => writer.close());
  await writer.write(long, origin, wanted.speech!);
  const stopped = newestWriter();
  process.kill(stopped, 'SIGSTOP');
  const written = writer.write(long, origin, wanted.speech!);
  // No time passes for the second one.
  while (newestWriter() === stopped) {
    mock.timers.tick(20_000);
    await setImmediate();
  }
  t.is((await written).toString(), writeResult(long, origin, wanted.speech!));
});

test.serial('without a writer, callers are told to try again', async (t) => {
  const writer = createResultWriter();
  const written = writer.write(long, origin, wanted.speech!);
  writer.close();
  const error = await t.throwsAsync(written, { instanceOf: ServiceError });
  t.deepEqual([error.code, error.status], ['not_ready', 503]);
});

test('the console gets missing channels that have a role', (t) => {
  const kept = { ...JSON.parse(stored(1).toString()), channelSpeechSeconds: [4] };
  const wanted = { redaction: null, names: ['agent'], channelRoles: ['agent', 'customer'] };
  const bytes = Buffer.from(JSON.stringify(kept));
  const view = JSON.parse(writeResult(bytes, origin, { kind: 'recording', ...wanted }));
  t.deepEqual(view.channels, [
    { speaker: 'speaker_0', role: 'agent', state: 'speech' },
    { speaker: 'speaker_1', role: 'customer', state: 'missing' },
  ]);
});
