// How the workflow of a recording ends that cannot be taken: by a refusal as its result, so that
// what is failed in the Temporal UI is the service's; an earlier API still gets the failure.
import { readFileSync } from 'node:fs';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import test, { type ExecutionContext } from 'ava';
import { createWorkflowRuns } from '../../api/runs/workflow-runs.ts';
import type { FailedRecording } from '../../workflows/types.ts';
import { workflowBundle } from '../support/workflow-workers.ts';

const recorded = readFileSync(new URL('../histories/broken-audio.json', import.meta.url), 'utf8');
const json = { encoding: Buffer.from('json/plain').toString('base64') };

interface Payload {
  readonly metadata: object;
  readonly data: string;
}

const payload = (value: unknown): Payload => ({
  metadata: json,
  data: Buffer.from(JSON.stringify(value)).toString('base64'),
});

type Ending = 'COMPLETED' | 'FAILED';

interface Variant {
  /** Whether whoever started the workflow takes a refusal from its result. */
  readonly readsRefusal: boolean;
  /** The answer of the last activity; null as in earlier versions. */
  readonly fault: FailedRecording | null;
  readonly stages: readonly string[];
  readonly ending: Ending;
}

/** The recorded history of broken audio, with another start, answer and end. */
function historyOf({ readsRefusal, fault, stages, ending }: Variant): unknown {
  const history = JSON.parse(recorded) as { events: any[] };
  const { events } = history;
  const [started] = events[0].workflowExecutionStartedEventAttributes.input.payloads as Payload[];
  const input = JSON.parse(Buffer.from(started!.data, 'base64').toString()) as object;
  events[0].workflowExecutionStartedEventAttributes.input.payloads = [
    payload({ ...input, ...(readsRefusal && { readsRefusal }) }),
  ];
  if (fault) events[8].activityTaskCompletedEventAttributes.result.payloads = [payload(fault)];
  const failed = events.pop();
  for (const stage of stages) {
    const upserted = structuredClone(events[5]);
    const attributes = upserted.upsertWorkflowSearchAttributesEventAttributes;
    attributes.workflowTaskCompletedEventId = '12';
    attributes.searchAttributes.indexedFields.SvcStage.data = payload(stage).data;
    events.push({ ...upserted, eventId: String(events.length + 1) });
  }
  const end = { eventId: String(events.length + 1), eventTime: failed.eventTime };
  const result = { payloads: [payload({})] };
  events.push(
    ending === 'FAILED'
      ? { ...failed, ...end }
      : {
          ...end,
          eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
          workflowExecutionCompletedEventAttributes: { result, workflowTaskCompletedEventId: '12' },
        },
  );
  return history;
}

/** Replays it, and the same with the other end, which must not be how today's code ends. */
async function endsSo(t: ExecutionContext, variant: Variant): Promise<void> {
  const bundle = { workflowBundle: await workflowBundle() };
  const replay = (history: unknown) => Worker.runReplayHistory(bundle, history);
  await t.notThrowsAsync(replay(historyOf(variant)));
  const other = variant.ending === 'FAILED' ? 'COMPLETED' : 'FAILED';
  await t.throwsAsync(replay(historyOf({ ...variant, ending: other })), {
    name: 'DeterminismViolationError',
  });
}

const ofAudio = { isCallersFault: true, isAudiosFault: true };
const ofAccount = { isCallersFault: true, isAudiosFault: false };
const ofService = { isCallersFault: false, isAudiosFault: false };

test.serial('a recording that cannot be taken completes its workflow', (t) =>
  endsSo(t, { readsRefusal: true, fault: ofAudio, stages: ['refused'], ending: 'COMPLETED' }),
);

test.serial('an API of an earlier version gets the failure that it knows', (t) =>
  endsSo(t, { readsRefusal: false, fault: ofAudio, stages: ['refused'], ending: 'FAILED' }),
);

test.serial('an id that may be used again follows a failed workflow', (t) =>
  endsSo(t, { readsRefusal: true, fault: ofAccount, stages: ['refused'], ending: 'FAILED' }),
);

test.serial(
  'a failure of the service stays one; so does what an older worker recorded',
  async (t) => {
    await endsSo(t, { readsRefusal: true, fault: ofService, stages: [], ending: 'FAILED' });
    await endsSo(t, { readsRefusal: true, fault: null, stages: [], ending: 'FAILED' });
  },
);

test('whoever waits for a refused recording gets its code, message and field', async (t) => {
  const refusal = { code: 'audio_undecodable', message: 'It is truncated.', param: 'file' };
  const client = { withAbortSignal: (_: unknown, work: () => unknown) => work() };
  const runs = createWorkflowRuns(client as unknown as Client, 'queue');
  const handle = { result: () => Promise.resolve({ refusal }) } as unknown as WorkflowHandle;
  const waiting = runs.result(handle, new AbortController().signal);
  const error = await t.throwsAsync(waiting, { name: 'ServiceError', message: refusal.message });
  t.like(error, { code: refusal.code, param: refusal.param, status: 400 });
});
