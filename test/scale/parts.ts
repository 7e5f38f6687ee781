// What each server does in a second of the load that recordings put on it, without recognition:
// the ledger's transactions, the objects, the workflows.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { deleteObjectRows, registerObject } from '../../db/object-rows.ts';
import { claimRequest } from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import type { Activities } from '../../workflows/activities.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';
import { collectCleanup } from '../support/cleanup.ts';
import type { TestAccount } from '../support/database.ts';
import { startWorkflowWorkers } from '../support/workflow-workers.ts';

export interface LoadOptions {
  readonly seconds: number;
  /** Recordings that are in progress at once. */
  readonly concurrency: number;
}

/** Repeats a step of one recording. @returns recordings a second */
async function rateOf({ seconds, concurrency }: LoadOptions, step: (i: number) => Promise<void>) {
  let done = 0;
  const began = performance.now();
  const end = began + seconds * 1_000;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      await step(done);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return done / ((performance.now() - began) / 1_000);
}

/** Rows and entries of a recording from its claim to its charge. */
export function ledgerRate(db: Db, accounts: readonly TestAccount[], options: LoadOptions) {
  return rateOf(options, async (i) => {
    const { organizationId, keyId } = accounts[i % accounts.length]!;
    const ref = { organizationId, requestId: randomUUID(), attempt: 1 };
    const uploadKey = `uploads/${ref.requestId}`;
    await registerObject(db, { key: uploadKey, organizationId, kind: 'upload' });
    const named = { ...ref, keyId, fingerprint: 'f', task: 'analysis', model: 'svc-resonance' };
    await claimRequest(db, { ...named, ratePerMinute: 8_000, uploadKey });
    await reserve(db, ref, 300);
    await registerObject(db, { key: `work/${ref.requestId}`, organizationId, kind: 'work' });
    await settle(db, ref, 300);
    await deleteObjectRows(db, [uploadKey, `work/${ref.requestId}`]);
  });
}

/** Upload, decoded samples and result of a call: written, read and deleted. */
export function storageRate(
  objects: ObjectStore,
  bytes: { readonly upload: number; readonly samples: number; readonly result: number },
  options: LoadOptions,
) {
  const bodies = Object.values(bytes).map((size) => randomBytes(size));
  return rateOf(options, async () => {
    const id = randomUUID();
    const keys = bodies.map((_, part) => `work/${id}/${part}`);
    for (const [part, key] of keys.entries()) await objects.putBytes(key, bodies[part]!);
    for (const key of keys) await objects.getBytes(key);
    await objects.delete(keys);
  });
}

const input = {
  organizationId: 'org_scale',
  attempt: 1,
  task: 'analysis',
  model: 'svc-resonance',
  options: { diarize: true, numSpeakers: null, includeLogits: false },
} as const;

type Steps = Pick<
  Activities,
  'openRecording' | 'diarizeRecording' | 'analyzeSpan' | 'finishRecording'
>;

/** Steps of a call of five minutes that take no time. */
const steps: Steps = {
  openRecording: async () => ({
    kind: 'undiarized',
    audio: { sourceSamples: 2_400_000, sourceRate: 8_000 } as never,
  }),
  diarizeRecording: async () => ({
    chunks: 2,
    spans: [0, 1].map((i) => ({ index: i, firstChunk: i, endChunk: i + 1, audioSeconds: 150 })),
  }),
  analyzeSpan: async () => {},
  finishRecording: async () => ({ resultKey: 'results/none' }),
};

/** Workflows of diarized calls. */
export async function workflowRate(options: LoadOptions): Promise<number> {
  const cleanup = collectCleanup();
  const taskQueue = `scale-${randomBytes(4).toString('hex')}`;
  const { workflow } = await startWorkflowWorkers(cleanup, taskQueue, steps);
  const upload = { key: 'uploads/none', container: 'mp3', bytes: 2_000_000 } as const;
  const rate = await rateOf(options, async () => {
    const requestId = randomUUID();
    const args: [AnalyzeRecordingInput] = [{ ...input, requestId, upload }];
    await workflow.execute('analyzeRecording', { taskQueue, workflowId: requestId, args });
  });
  await cleanup.finish();
  return rate;
}
