// A recording of a minute is answered alike, whether a worker has memory for it in the step that
// decodes it or not.
import { once } from 'node:events';
import test from 'ava';
import { speechResultSchema } from '../../api/results/schemas.ts';
import { idHash } from '../../db/object-keys.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { encode, silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack, type TestStack } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

const returned = '  return openRecordings * shortClipSeconds * sampleRate;\n';

/** A worker whose clips have so many seconds beyond short ones. */
const withClipAudio = (seconds: number) => ({
  file: 'bin/process/worker-capacity.ts',
  from: returned,
  to: `  return openRecordings && ${seconds * 16_000};\n`,
});

/** The steps of the workflow that a worker was given apart from its task. */
async function stepsOf({ client, account }: TestStack, requestId: string): Promise<string[]> {
  const id = requestWorkflowId(account.organizationId, idHash(requestId));
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  return (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: step }) => step?.activityType?.name ?? [],
  );
}

test('a minute in the step that decodes it and in spans: one answer', async (t) => {
  const stack = await testStack(t, { worker: false });
  const voices = ['slt', 'rms'];
  const texts = [
    'Good morning, this is the service desk, how may I help you today?',
    'Hello, my telephone has been out of order since last Monday evening.',
  ];
  const said = await Promise.all(texts.map((text, i) => speech(text, { voice: voices[i]! })));
  const turns = Array.from({ length: 12 }, (_, i) => [said[i % 2]!, silence(0.7)]);
  // Small enough to be opened within the task of its workflow.
  const minute = toWav(joinSamples(turns.flat()).slice(0, 60 * 16_000));
  const file = await encode(minute, 'opus', ['-b:a', '32k']);
  const ask = async (requestId: string) => {
    const fields = { diarize: 'true', include_logits: 'true' };
    const answer = await postFile(stack, '/v1/audio/analysis', { file, fields, requestId });
    t.is(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
    const result = { ...speechResultSchema.parse(answer.body), id: null };
    return { result, steps: await stepsOf(stack, requestId) };
  };
  // As much as one recording asks for: the second finds what the first has given back.
  const first = await stack.startWorker([withClipAudio(91)]);
  const inPlace = [await ask('first'), await ask('second')];
  const ended = once(first, 'exit');
  first.kill('SIGTERM');
  await ended;
  await stack.startWorker([withClipAudio(90)]);
  const inSpans = await ask('third');

  t.deepEqual(
    inPlace.map(({ steps }) => steps),
    [[], []],
  );
  t.deepEqual(inSpans.steps.toSorted(), ['analyzeSpan', 'diarizeRecording', 'finishRecording']);
  t.true(inSpans.result.segments.length >= 10, `${inSpans.result.segments.length} segments`);
  for (const { result } of inPlace) t.deepEqual(result, inSpans.result);
  const { debits, objectKeys } = await settledTraces(stack);
  t.deepEqual(debits, [60, 60, 60]);
  t.deepEqual(objectKeys, []);
});
