// Calls every function of db/ that sends a query once, so that its queries can be inspected.
import { sql } from 'kysely';
import * as counts from '../../db/batch-counts.ts';
import * as deletion from '../../db/batch-deletion.ts';
import * as items from '../../db/batch-items.ts';
import * as batches from '../../db/batches.ts';
import { sweepBucket } from '../../db/bucket-sweep.ts';
import { closeBatch } from '../../db/close-batch.ts';
import type { Db } from '../../db/database.ts';
import * as decodes from '../../db/decodes.ts';
import { describeFiles, learnHash } from '../../db/file-contents.ts';
import * as files from '../../db/files.ts';
import { noteProgress } from '../../db/item-progress.ts';
import { fillSearched } from '../../db/fill-searched.ts';
import { indexRecordings } from '../../db/index-recordings.ts';
import { findPageStart } from '../../db/pages.ts';
import { createKeyLeases } from '../../db/key-leases.ts';
import { describeRequest } from '../../db/request-report.ts';
import * as requests from '../../db/requests.ts';
import { pruneRows } from '../../db/retention.ts';
import * as sessionLedger from '../../db/session-ledger.ts';
import * as sessions from '../../db/sessions.ts';
import * as recordings from '../../db/recordings.ts';
import { parseSearch } from '../../db/search-terms.ts';
import { createBatch } from '../../db/create-batch.ts';
import * as credentials from '../../db/stream-credentials.ts';
import * as upkeep from '../../db/upkeep-report.ts';
import { usageByDay, usageReport } from '../../db/usage-report.ts';
import * as settlement from '../../db/settlement.ts';
import { reserveAttempt } from '../../db/reserve-attempt.ts';
import { settleAttempts } from '../../db/settle-attempts.ts';
import { accountExercises, type Exercise } from './account-exercises.ts';
import { objectExercises, noObjects as store } from './object-exercises.ts';
import { largeIds } from './large-database.ts';
import { findRequests } from '../../db/request-lookup.ts';

/** The organization that owns half of all rows. */
const organizationId = largeIds.organization(0);
const keyId = largeIds.key(0);
const big = largeIds.batch(0);
const small = largeIds.batch(2);
const ended = { state: 'failed', code: 'internal_error', message: '' } as const;
const file = largeIds.file(2);
const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });

let made = 0;

function claim(db: Db, requestId = `new-${(made += 1)}`) {
  const named = { organizationId, keyId, requestId, fingerprint: 'f', task: 'emotion' };
  const rest = { model: 'svc-resonance', ratePerMinute: 8_000, uploadKey: `uploads/x${requestId}` };
  return requests.claimRequest(db, { ...named, ...rest });
}

async function running(db: Db) {
  await claim(db);
  return ref(`new-${made}`);
}

async function runningGroup(db: Db) {
  return { organizationId, attempts: [{ ...(await running(db)), seconds: 5 }] };
}

async function session(db: Db) {
  const sessionId = `session-${(made += 1)}`;
  const options = { organizationId, keyId, sessionId, token: sessionId, slots: 2 };
  const terms = { maxCapacitySeconds: 60, ratePerMinute: 8_000, lifetimeSeconds: 30 };
  await sessions.createSession(db, { ...options, ...terms });
  return sessionId;
}

async function batch(db: Db) {
  const upload = { key: 'uploads/2', container: 'wav', bytes: 1 } as const;
  const item = { customId: 'a', metadata: {}, fileId: file, upload };
  const made = await createBatch(db, {
    ...{ organizationId, keyId, task: 'emotion', model: 'svc-fourier', options: {}, metadata: {} },
    ...{ webhookUrl: null, lifetimeSeconds: 60, idempotencyKey: null, fingerprint: 'f' },
    items: [item],
  });
  return made!;
}

const held = {
  ...{ text: 'words', language: 'en', labels: ['angry'], speakers: 2, durationSeconds: 1 },
  ...{ words: 1, unsureWords: 0 },
};

const page = { limit: 20, after: null };
const yesterday = new Date(Date.now() - 86_400_000);
const begun = { range: { from: 0, to: 1 }, done: { part: 0, share: 0.5 }, audioSeconds: null };
const opening = { stage: 'opening', ...begun } as const;
const place = (id: string) => ({ id, createdAt: '2026-11-22 10:00:00.123456+00' });
const whole = { from: 0, to: 10_000, limit: 21 };

export const queryExercises: Readonly<Record<string, Exercise>> = {
  ...accountExercises,
  ...objectExercises,
  countItems: async (db) => counts.countItems(db, (await batches.batchById(db, big))!),
  countItemsOf: async (db) => {
    const { rows } = await batches.listBatches(db, organizationId, { limit: 1_000, after: null });
    await counts.countItemsOf(db, await batches.findBatches(db, organizationId, rows));
  },
  discardBatch: async (db) =>
    deletion.discardBatch({ db, objects: store }, (await batches.batchById(db, small))!),
  discardFiles: (db) => deletion.discardFiles({ db, objects: store }, [file]),
  expiredBatches: (db) => deletion.expiredBatches(db, ''),
  readItems: async (db) => {
    for (const status of ['queued', 'running', 'completed', 'failed', 'cancelled'] as const) {
      await items.readItems(db, big, { ...whole, status });
    }
    await items.readItems(db, big, whole);
    await items.readItems(db, big, { from: 500, to: 501 });
  },
  findRequests: (db) => findRequests(db, 'item-77'),
  noteProgress: (db) => noteProgress(db, { batchId: big, position: 0, ...opening }),
  findPosition: (db) => items.findPosition(db, big, 'item-77'),
  admitItems: async (db) => items.admitItems(db, await batch(db), { ...whole, ratePerMinute: 1 }),
  endItemsWithin: (db) => items.endItemsWithin(db, small, { ...ended, positions: [0] }),
  endOpenItems: (db) => items.endOpenItems(db, small, ended),
  createBatch: batch,
  findBatch: (db) => batches.findBatch(db, organizationId, big),
  findBatches: (db) => batches.findBatches(db, organizationId, [big, small]),
  batchById: (db) => batches.batchById(db, big),
  findBatchByKey: (db) => batches.findBatchByKey(db, organizationId, 'monday'),
  listBatches: async (db) => {
    await batches.listBatches(db, organizationId, page);
    await batches.listBatches(db, organizationId, { limit: 20, after: place(largeIds.batch(500)) });
  },
  fillSearched,
  indexRecordings: (db) => indexRecordings(db, [{ batchId: big, position: 9_500, entry: held }]),
  findRecordings: async (db) => {
    const all = { terms: [], speaker: null, label: null, language: null, from: null, to: null };
    const after = { batchId: small, position: 2 };
    await recordings.findRecordings(db, organizationId, { ...all, after: null, limit: 20 });
    await recordings.findRecordings(db, organizationId, {
      ...{ terms: parseSearch('"call 77" refu -x'), speaker: 'agent', label: 'angry' },
      ...{ language: 'en', from: new Date(0), to: new Date(), after, limit: 20 },
    });
  },
  speakersOf: (db) => recordings.speakersOf(db, big, 77),
  nameSpeakers: (db) =>
    recordings.nameSpeakers(db, organizationId, {
      ...{ batchId: big, position: 77, speakers: ['Ann', 'Bob'] },
    }),
  totalsByLabel: (db) => recordings.totalsByLabel(db, organizationId, yesterday),
  totalsByLanguage: (db) => recordings.totalsByLanguage(db, organizationId, yesterday),
  beginBatch: async (db) => batches.beginBatch(db, (await batch(db)).id),
  cancelBatch: async (db) => batches.cancelBatch(db, (await batch(db)).id),
  endBatch: async (db) => batches.endBatch(db, (await batch(db)).id, 'completed'),
  openBatches: (db) => batches.openBatches(db, { olderThanSeconds: 60, after: '' }),
  closeBatch: async (db) => closeBatch(db, (await batch(db)).id, 'completed'),
  sweepBucket: (db) => sweepBucket({ db, objects: store }),
  createFile: (db) =>
    files.createFile(db, {
      ...{
        organizationId,
        objectKey: `uploads/new-${(made += 1)}`,
        filename: 'x',
        lifetimeSeconds: 60,
      },
      audio: { reservedBytes: 1, addressLifetimeSeconds: 60 },
      ...{ idempotencyKey: `k${made}`, fingerprint: 'f' },
    }),
  extendUpload: (db) => files.extendUpload(db, largeIds.file(4), 60),
  describeFiles: async (db) => {
    const ids = Array.from({ length: 250 }, (_, i) => largeIds.file(4 + i));
    await describeFiles(
      db,
      ids.map((id) => ({ id, container: 'wav', bytes: 5 })),
    );
  },
  learnHash: (db) => learnHash(db, { id: largeIds.batch(2), position: 3 }, 'a'.repeat(64)),
  findFile: (db) => files.findFile(db, organizationId, largeIds.file(6)),
  findFiles: (db) => files.findFiles(db, organizationId, [largeIds.file(6), largeIds.file(8)]),
  findFileByKey: (db) => files.findFileByKey(db, organizationId, 'monday'),
  findPageStart: async (db) => {
    await findPageStart(db, 'batches', organizationId, largeIds.batch(500));
    await findPageStart(db, 'files', organizationId, largeIds.file(5_000));
  },
  listFiles: async (db) => {
    await files.listFiles(db, organizationId, page);
    await files.listFiles(db, organizationId, { limit: 20, after: place(largeIds.file(5_000)) });
  },
  deleteFiles: (db) => files.deleteFiles(db, [largeIds.file(10), largeIds.file(12)]),
  expiredFiles: files.expiredFiles,
  decodeStatus: (db) => decodes.decodeStatus(db, organizationId, ['c']),
  verdictsOf: (db) => decodes.verdictsOf(db, organizationId, new Set(['c'])),
  beginDecode: (db) => decodes.beginDecode(db, ref('r2')),
  endDecode: (db) => decodes.endDecode(db, ref('r2')),
  countFailedDecode: (db) => decodes.countFailedDecode(db, organizationId, 1),
  quarantine: (db) => {
    const verdict = { code: 'audio_undecodable', message: 'm' } as const;
    return decodes.quarantine(db, organizationId, { contents: ['c'], verdict });
  },
  pruneDecodes: decodes.pruneDecodes,
  createKeyLeases: async (db) => {
    const leases = createKeyLeases(db);
    (await leases.acquire(keyId, 10))?.();
    await leases.close();
  },
  describeRequest: (db) => describeRequest(db, organizationId, 'r2'),
  claimRequest: async (db) => {
    await claim(db);
    await claim(db, 'r2');
  },
  failRequest: async (db) =>
    requests.failRequest(db, await running(db), { code: 'x', message: '', param: null }),
  closeRequest: async (db) => requests.closeRequest(db, await running(db)),
  unclaimRequest: async (db) => requests.unclaimRequest(db, await running(db)),
  staleRequests: (db) => requests.staleRequests(db, { olderThanSeconds: 60, after: '' }),
  requestState: (db) => requests.requestState(db, ref('r2')),
  isKnownRequest: (db) => requests.isKnownRequest(db, ref('r2')),
  pruneRows,
  ledgerDrift: (db) => upkeep.ledgerDrift(db, { windowSeconds: 3_600, limit: 2_000 }),
  countDrift: (db) => upkeep.countDrift(db, 3_600),
  totalsDrift: (db) => upkeep.totalsDrift(db, largeIds.organization(3)),
  sweepDelays: (db) => upkeep.sweepDelays(db, { upload: 60, work: 60, result: 60 }),
  recordSweep: upkeep.recordSweep,
  sessionSecondsLeft: (db) => sessionLedger.sessionSecondsLeft(db, organizationId, 's2'),
  sessionLedger: (db) => sessionLedger.sessionLedger(db, organizationId, 's2'),
  createSession: session,
  findSession: (db) => sessions.findSession(db, 'x'),
  spendFromSession: async (db) =>
    sessions.spendFromSession(db, organizationId, { sessionId: await session(db), slot: 0 }, 1),
  closeSession: async (db) => sessions.closeSession(db, organizationId, await session(db)),
  orphanedSessions: (db) => sessions.orphanedSessions(db, { olderThanSeconds: 60 }),
  createCredential: (db) =>
    credentials.createCredential(db, {
      ...{ kind: 'client_token', secret: 'new', organizationId, keyId },
      opens: { lifetimeSeconds: 60 },
    }),
  findCredential: (db) => credentials.findCredential(db, 'client_token', 'new'),
  useCredential: (db) => credentials.useCredential(db, 'new'),
  usageByDay: (db) => usageByDay(db, { organizationId, from: '2026-10-01' }),
  usageReport: async (db) => {
    const month = { from: '2026-10-01', to: '2026-10-31' };
    await usageReport(db, { organizationId: largeIds.organization(5), ...month });
  },
  reserve: async (db) => settlement.reserve(db, await running(db), 5),
  settle: async (db) => settlement.settle(db, await running(db), 5),
  reserveAll: async (db) => settlement.reserveAll(db, await runningGroup(db)),
  reserveAttempt: async (db) => reserveAttempt(db, await running(db), 5),
  settleAttempts: async (db) => settleAttempts(db, await runningGroup(db), sql`NULL`),
  settleAll: async (db) => settlement.settleAll(db, await runningGroup(db)),
};
