// A step that runs twice at once, as after a stall of its worker: one answer, one debit, no 500.
import test from 'ava';
import { speech, toWav } from '../support/speech.ts';
import { testStack, transcribe, untilReady } from '../support/stack.ts';
import { traces } from '../support/traces.ts';

const file = 'activities/open-recording.ts';

/** Another run of the step starts and ends after this one has checked whether it is settled. */
const runsTwice = {
  file,
  from: 'const decoded = await decode(dependencies, recording, { run, longer });',
  to: `const runs = globalThis as { second?: true };
  if (recording.requestId === 'twice' && !runs.second) {
    runs.second = true;
    await openRecording(dependencies, recording);
  }
  const decoded = await decode(dependencies, recording, { run, longer });`,
};
/** The notification of the commit is lost, so the API depends on the workflow. */
const deaf = {
  file: 'db/completions.ts',
  from: "for (const notify of waiting.get(payload ?? '') ?? []) notify();",
  to: 'void payload;',
};
/** What a bug or an operator may do to a workflow whose recording is settled. */
const failsAfterwards = {
  file: 'activities/settle-recording.ts',
  from: '  countCompleted(dependencies, stored);\n  return ',
  to: `  if (recording.requestId === 'late') {
    const { ApplicationFailure } = await import('@temporalio/common');
    throw ApplicationFailure.create({ type: 'internal_error', nonRetryable: true });
  }
  return `,
};

/** The step itself does not notice it. */
const unnoticed = {
  file: 'activities/settle-recording.ts',
  from: "if (state === 'completed') return { resultKey: recordingKeys(recording).result };",
  to: "if (state === 'completed') throw cause;",
};

test('the second of two runs ends as the first one did', async (t) => {
  const stack = await testStack(t, { worker: false });
  await stack.startWorker([runsTwice]);
  const { base } = await stack.startApi([deaf]);
  await untilReady(stack);
  const recording = toWav(await speech('Only one of us will be heard.'));
  const { status, body } = await transcribe({ ...stack, base }, recording, { requestId: 'twice' });
  t.is(status, 200, JSON.stringify(body));
  t.regex(body.text, /heard/i);
  t.is((await traces(stack)).debits.length, 1);
});

test('what was completed and charged is answered, however its workflow ended', async (t) => {
  const stack = await testStack(t, { worker: false });
  await stack.startWorker([failsAfterwards, unnoticed]);
  const { base } = await stack.startApi([deaf]);
  await untilReady(stack);
  const recording = toWav(await speech('Only one of us will be heard.'));
  const { status, body } = await transcribe({ ...stack, base }, recording, { requestId: 'late' });
  t.is(status, 200, JSON.stringify(body));
  t.is((await traces(stack)).debits.length, 1);
});
