// Calls every function of db/ that queries accounts and their ledger once (see query-exercises.ts).
import { listAudit, writeAudit } from '../../db/audit.ts';
import { admitByKey, findAccountByKey } from '../../db/accounts.ts';
import * as keys from '../../db/api-keys.ts';
import * as balance from '../../db/balance.ts';
import { databaseVersion, type Db } from '../../db/database.ts';
import { eraseMarked, eraseOrganization } from '../../db/erase-organization.ts';
import { missingKeys } from '../../db/missing-keys.ts';
import * as access from '../../db/model-access.ts';
import { changeOrganization } from '../../db/organization-change.ts';
import * as organizations from '../../db/organizations.ts';
import { findRedaction, setRedaction } from '../../db/redaction-defaults.ts';
import { findKeyTerms } from '../../db/key-terms.ts';
import { listKeyedBatches } from '../../db/keyed-batches.ts';
import * as ledger from '../../db/ledger.ts';
import * as locks from '../../db/lock-requests.ts';
import { findVocabulary, setVocabulary } from '../../db/vocabulary-defaults.ts';
import { requireSchema } from '../../db/role-privileges.ts';
import * as sources from '../../db/source-credentials.ts';
import * as sourceFiles from '../../db/source-files.ts';
import { countRequest } from '../../db/rate-windows.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import * as standing from '../../db/account-status.ts';
import * as quota from '../../db/storage-quota.ts';
import * as webhooks from '../../db/webhook-secrets.ts';
import { largeIds } from './large-database.ts';

export type Exercise = (db: Db) => Promise<unknown>;

/** The organization that owns half of all rows. */
const organizationId = largeIds.organization(0);
const keyId = largeIds.key(0);
const actor = 'test';
const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
const box = createSecretBox(Buffer.alloc(32).toString('base64'));

const source = {
  organizationId,
  prefix: 'https://example.com/',
  secret: { kind: 'bearer', token: 'x' },
} as const;

export const accountExercises: Readonly<Record<string, Exercise>> = {
  databaseVersion,
  requireSchema,
  writeAudit: (db) => writeAudit(db, { organizationId, actor, action: 'x', details: {} }),
  listAudit: async (db) => {
    await listAudit(db, { organizationId, limit: 50 });
    await listAudit(db, { organizationId: null, limit: 50 });
  },
  createKey: (db) => keys.createKey(db, { organizationId, mode: 'live', actor }),
  findAccountByKey: (db) => findAccountByKey(db, `svc_live_${'0'.repeat(16)}_${'A'.repeat(43)}`),
  admitByKey: (db) => admitByKey(db, `svc_live_${'0'.repeat(16)}_${'A'.repeat(43)}`),
  rotateKey: (db) => keys.rotateKey(db, largeIds.key(1), { graceSeconds: 1, actor }),
  revokeKey: (db) => keys.revokeKey(db, largeIds.key(2), actor),
  limitKey: (db) => keys.limitKey(db, keyId, { limits: { maxConcurrent: 5 }, actor }),
  listKeys: (db) => keys.listKeys(db, organizationId),
  balanceOf: (db) => balance.balanceOf(db, organizationId),
  creditsOf: (db) => balance.creditsOf(db, organizationId),
  hasAllowance: (db) => balance.hasAllowance(db, organizationId),
  availableSeconds: (db) => balance.availableSeconds(db, organizationId, 8_000),
  findReservation: (db) => ledger.findReservation(db, ref('r2')),
  isDebited: (db) => ledger.isDebited(db, ref('r2')),
  writeEntry: (db) =>
    ledger.writeEntry(db, { ...ref('entry'), kind: 'reserve', seconds: 1, microUsd: 1 }),
  writeEntries: (db) =>
    ledger.writeEntries(db, { organizationId, kind: 'reserve' }, [
      { ...ref('entries'), seconds: 1, microUsd: 1 },
    ]),
  releaseReservations: (db) => ledger.releaseReservations(db, organizationId, [ref('entry')]),
  lockOrganization: (db) => balance.lockOrganization(db, organizationId),
  accessState: (db) => access.accessState(db, organizationId, 'm'),
  requestAccess: (db) =>
    access.requestAccess(db, { organizationId, model: 'm', useCase: '', actor }),
  decideAccess: (db) =>
    access.decideAccess(db, { organizationId, model: 'm', status: 'denied', actor }),
  createOrganization: (db) =>
    organizations.createOrganization(db, {
      ...{ name: 'x', actor, plan: 'subscription', allowanceSeconds: 1, overageSeconds: 0 },
    }),
  changeOrganization: (db) =>
    changeOrganization(db, {
      ...{ organizationId: largeIds.organization(3), actor, action: 'storage.set', details: {} },
      set: { storageBytes: null },
    }),
  changeTerms: (db) =>
    organizations.changeTerms(db, {
      ...{ organizationId: largeIds.organization(3), actor },
      termsAfter: ({ plan, allowanceSeconds, overageSeconds }) => ({
        ...{ plan, allowanceSeconds, overageSeconds },
      }),
    }),
  eraseOrganization: async (db) => {
    const change = { organizationId: largeIds.organization(3), actor };
    await organizations.setSuspended(db, { ...change, suspended: true });
    await eraseOrganization(db, change);
  },
  eraseMarked,
  setStorageQuota: (db) =>
    organizations.setStorageQuota(db, { organizationId, actor, bytes: null, files: null }),
  setSuspended: (db) =>
    organizations.setSuspended(db, {
      ...{ organizationId: largeIds.organization(3), actor, suspended: true },
    }),
  listKeyedBatches: async (db) => {
    const all = { keyPrefix: 'mon', limit: 20, phases: [], created: null } as const;
    const order = { sortBy: 'createdAt', direction: 'desc' } as const;
    await listKeyedBatches(db, organizationId, { ...all, ...order });
    await listKeyedBatches(db, organizationId, {
      ...{ ...all, phases: ['failed'], sortBy: 'endedAt', direction: 'asc' },
      created: { isBefore: true, at: new Date() },
    });
  },
  findKeyTerms: (db) => findKeyTerms(db, keyId),
  findVocabulary: (db) => findVocabulary(db, organizationId),
  setVocabulary: (db) => setVocabulary(db, { organizationId, actor, terms: ['Siobhan'] }),
  findRedaction: (db) => findRedaction(db, organizationId),
  setRedaction: (db) =>
    setRedaction(db, { organizationId, actor, redaction: { kinds: [], names: [] } }),
  setSourceCredential: (db) => sources.setSourceCredential(db, box, { ...source, actor }),
  listSourceCredentials: (db) => sources.listSourceCredentials(db, organizationId),
  sourceCredentials: (db) => sources.sourceCredentials(db, box, organizationId),
  sealSourceCredentials: (db) => sources.sealSourceCredentials(db, box),
  removeSourceCredential: (db) => sources.removeSourceCredential(db, { ...source, actor }),
  findItemFile: (db) => sourceFiles.findItemFile(db, largeIds.file(4)),
  storeFetched: async (db) => {
    const id = largeIds.file(5);
    await db
      .updateTable('files')
      .set({ container: null, bytes: null, sourceUrl: 'https://example.com/' })
      .where('id', '=', id)
      .execute();
    await sourceFiles.storeFetched(db, {
      ...{ id, organizationId: largeIds.organization(0), objectKey: 'uploads/fetched' },
      audio: { container: 'wav', bytes: 5, sha256: 'a'.repeat(64) },
    });
  },
  grantCredits: (db) => organizations.grantCredits(db, { organizationId, actor, microUsd: 1 }),
  lockOpenItems: (db) => locks.lockOpenItems(db, largeIds.batch(0), undefined),
  lockRequests: (db) =>
    locks.lockRequests(db, { organizationId, attempts: [{ requestId: 'a' }, { requestId: 'b' }] }),
  listOrganizations: organizations.listOrganizations,
  describeOrganization: (db) => organizations.describeOrganization(db, organizationId),
  countRequest: (db) => countRequest(db, keyId),
  isSuspended: (db) => standing.isSuspended(db, organizationId),
  requireActiveAccount: (db) => standing.requireActiveAccount(db, organizationId),
  endedKeys: (db) => standing.endedKeys(db, [keyId, largeIds.key(7)]),
  storageOf: (db) => quota.storageOf(db, organizationId),
  requireCapacity: (db) => quota.requireCapacity(db, organizationId, 1),
  requireWithinQuota: (db) => quota.requireWithinQuota(db, organizationId),
  rotateWebhookSecret: (db) => webhooks.rotateWebhookSecret(db, box, { organizationId, actor }),
  hasWebhookSecret: (db) => webhooks.hasWebhookSecret(db, organizationId),
  webhookSecrets: (db) => webhooks.webhookSecrets(db, box, organizationId),
  missingKeys: (db) => missingKeys(db, box),
  sealWebhookSecrets: (db) => webhooks.sealWebhookSecrets(db, box),
};
