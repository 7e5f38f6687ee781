// Stored documents: those of this release are readable, others are rejected by version or shape.
import test from 'ava';
import {
  checkDocument,
  getJson,
  putJson,
  readDocument,
  readMetadata,
  UnreadableDocument,
  writeDocument,
} from '../../../../db/stored-json.ts';
import { assembleRecording } from '../../../../models/analysis/result/assemble.ts';
import {
  batchOptionsFormat,
  outlineFormat,
  planFormat,
  resultFormat,
} from '../../../../models/analysis/result/documents.ts';
import { collectOutline } from '../../../../models/analysis/result/outline.ts';
import { planRecording } from '../../../../models/analysis/plan/plan.ts';
import type { RecordingResult } from '../../../../models/analysis/result/result.ts';
import { taskSteps } from '../../../../models/contract/tasks.ts';

const plan = planRecording({
  steps: taskSteps.affect,
  regions: [],
  probabilities: new Float32Array(40),
  samples: 20_480,
  turns: null,
});

const result: RecordingResult = {
  version: 2,
  sourceSamples: 20_480,
  sourceRate: 16_000,
  billableSeconds: 2,
  ...assembleRecording({
    steps: taskSteps.affect,
    language: null,
    includeLogits: true,
    formatNumbers: false,
    redact: null,
    affect: null,
    hasWindows: false,
    plan: { ...plan, chunks: [] },
    chunks: [],
    durationSeconds: 1.28,
  }),
};

test('a document is read as it was written, including members of later readers', async (t) => {
  const store = new Map<string, Buffer>();
  const objects = {
    putBytes: async (key: string, text: Uint8Array | string) =>
      void store.set(key, Buffer.from(text)),
    getBytes: async (key: string) => store.get(key)!,
  };
  await putJson(objects, 'plan', planFormat, plan);
  t.deepEqual(await getJson(objects, 'plan', planFormat), { version: 1, ...plan } as typeof plan);
  t.deepEqual(readDocument(resultFormat, writeDocument(resultFormat, result)), result);
  const collector = collectOutline();
  collector.add(0, new Int16Array(32_000).fill(1_000));
  const outline = { ...collector.end(7), colour: 'red' };
  t.like(readDocument(outlineFormat, JSON.stringify(outline)), outline);
  t.is(outline.startSeconds, 7);
  const { startSeconds: _, ...older } = outline;
  t.like(readDocument(outlineFormat, JSON.stringify(older)), older);
  t.false('startSeconds' in collector.end(0), 'it is kept where it is not 0');
});

test('a document without a version is of version 1', (t) => {
  t.deepEqual(readDocument(planFormat, JSON.stringify(plan)), plan);
  const { version: _, ...bare } = result;
  const error = t.throws(() => readDocument(resultFormat, JSON.stringify(bare)), {
    instanceOf: UnreadableDocument,
  })!;
  t.is(error.message, 'a stored result is of version 1, not 2');
});

test('another version, another shape and invalid JSON are errors that say so', (t) => {
  const failure = (text: string): string =>
    t.throws(() => readDocument(planFormat, text), { instanceOf: UnreadableDocument })!.message;
  t.is(failure(JSON.stringify({ ...plan, version: 7 })), 'a stored plan is of version 7, not 1');
  t.is(failure('{"chunks": 3}'), 'a stored plan has not the shape of version 1');
  t.is(failure('null'), 'a stored plan has not the shape of version 1');
  t.is(failure('{'), 'a stored plan is no JSON');
  const options = { diarize: 'yes', numSpeakers: null, includeLogits: false, channelRoles: [] };
  t.throws(() => checkDocument(batchOptionsFormat, options), { message: /stored batch/ });
});

test('metadata are pairs of text, whatever their names', (t) => {
  const pairs = { version: '7', 'call centre': 'north' };
  t.deepEqual(readMetadata(JSON.stringify(pairs)), pairs);
  for (const text of ['[]', 'null', '"a"', '{"a":1}']) {
    t.throws(() => readMetadata(text), { instanceOf: UnreadableDocument });
  }
});
