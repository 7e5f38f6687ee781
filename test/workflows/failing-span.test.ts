// A span that fails, on a real server: the others are cancelled, and the clean-up waits for them.
import { randomBytes } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import test from 'ava';
import type { createActivities } from '../../activities/index.ts';
import { largeRecording as recording, startWorkflowWorkers } from '../support/workflow-workers.ts';

type Activities = ReturnType<typeof createActivities>;
type Steps = Pick<Activities, 'openRecording' | 'analyzeSpan' | 'failRecording'>;

test('what a failed recording leaves is deleted when no span writes any more', async (t) => {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const steps: Steps = {
    openRecording: async () => {
      const audio = { samples: 1, sourceSamples: 16_000, sourceRate: 16_000 };
      const spans = [0, 1].map((firstChunk) => ({ firstChunk, endChunk: firstChunk + 1 }));
      return { kind: 'planned', audio, chunks: 2, spans } as never;
    },
    analyzeSpan: async ({ span }) => {
      if (span.firstChunk === 0) {
        await begun.promise;
        throw ApplicationFailure.nonRetryable('It cannot be analysed.', 'internal_error');
      }
      const { cancelled, heartbeat } = Context.current();
      const beats = setInterval(() => heartbeat(), 100);
      begun.resolve();
      // It was writing when it was cancelled.
      await cancelled.catch(() => {});
      clearInterval(beats);
      await new Promise((written) => setTimeout(written, 500));
      order.push('span ended');
      throw await cancelled.catch((error: unknown) => error);
    },
    failRecording: async () => {
      order.push('cleaned up');
      return { isCallersFault: false, isAudiosFault: false };
    },
  };
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const client = await startWorkflowWorkers(t, taskQueue, steps);
  const workflowId = `failing-span-test/${taskQueue}`;
  const options = { taskQueue, workflowId, args: [recording] };
  await t.throwsAsync(client.workflow.execute('analyzeRecording', options));
  t.deepEqual(order, ['span ended', 'cleaned up']);
});
