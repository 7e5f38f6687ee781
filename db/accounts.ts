// The account of a key: looked up by the key's public prefix, its secret compared in constant time.
import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { balanceColumns, joinTotals, leftOf, toBalance, type BalanceRow } from './balance.ts';
import type { Db } from './database.ts';
import { counting, type RateWindow } from './rate-windows.ts';
import { redactionOfColumns, type RedactionColumns } from './redaction-columns.ts';
import { hashSecret } from './secrets.ts';
import type { KeyLimits, Plan } from '../models/contract/plans.ts';
import type { Redaction } from '../models/contract/redaction.ts';

/** The caller of a request. */
export interface Account {
  readonly organizationId: string;
  readonly keyId: string;
  readonly plan: Plan;
  readonly suspended: boolean;
  readonly limits: KeyLimits;
  /** What is removed from each of its transcripts; null for nothing. */
  readonly redaction: Redaction | null;
  /** Terms that recognition prefers in each of its recordings. */
  readonly vocabulary: readonly string[];
}

/** A caller whose request has been counted. */
export interface Admission {
  readonly account: Account;
  /** null for a suspended account, of which nothing is counted. */
  readonly rate: RateWindow | null;
  /** Whether anything is left of its minutes or credits. */
  readonly canPay: boolean;
}

/** The account of a key, or null when it is malformed, unknown, revoked or expired. */
export async function findAccountByKey(db: Db, key: string): Promise<Account | null> {
  const parts = partsOf(key);
  if (!parts) return null;
  const { rows } = await sql<AccountRow>`${keyRow(parts.prefix)}`.execute(db);
  return accountOf(rows[0], parts.secretHash);
}

/**
 * The same, with everything that is asked of a caller before a body is read, in one round trip:
 * counts the request, and looks whether the account can pay.
 */
export async function admitByKey(db: Db, key: string): Promise<Admission | null> {
  const parts = partsOf(key);
  if (!parts) return null;
  const { prefix, secretHash } = parts;
  const counted = sql`found WHERE secret_hash = ${secretHash}
    AND NOT suspended AND NOT is_over`;
  const { rows } = await sql<AccountRow & BalanceRow & { [K in keyof RateWindow]: number | null }>`
    WITH found AS (${keyRow(prefix)}), counted AS (${counting(counted)})
    SELECT found.*, ${balanceColumns}, used, seconds_left
    FROM found ${joinTotals(sql`found`)} LEFT JOIN counted ON true`.execute(db);
  const [row] = rows;
  const account = accountOf(row, secretHash);
  if (!row || !account) return null;
  const { used, secondsLeft } = row;
  const rate = used === null || secondsLeft === null ? null : { used, secondsLeft };
  return { account, rate, canPay: leftOf(toBalance(row)) > 0 };
}

const keyPattern = /^(svc_(?:live|test)_[0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

function partsOf(key: string): { readonly prefix: string; readonly secretHash: Buffer } | null {
  const [, prefix, secret] = keyPattern.exec(key) ?? [];
  return prefix && secret ? { prefix, secretHash: hashSecret(secret) } : null;
}

interface AccountRow extends KeyLimits, RedactionColumns {
  readonly keyId: string;
  readonly organizationId: string;
  readonly secretHash: Buffer;
  /** Revoked or expired. */
  readonly isOver: boolean;
  readonly plan: Plan;
  readonly suspended: boolean;
  readonly vocabulary: readonly string[];
}

/** The key of a prefix with its organization. */
function keyRow(prefix: string) {
  // Compared by the database's clock, because the clocks of API machines may jump.
  return sql`
    SELECT api_keys.id AS key_id, organization_id, secret_hash,
      revoked_at IS NOT NULL OR coalesce(expires_at <= now(), false) AS is_over,
      requests_per_minute, max_concurrent,
      plan, suspended, redact_kinds, redact_names, vocabulary,
      period_anchor, allowance_seconds, overage_seconds
    FROM api_keys JOIN organizations ON organizations.id = organization_id
    WHERE prefix = ${prefix}`;
}

function accountOf(row: AccountRow | undefined, secretHash: Buffer): Account | null {
  // A secret is compared even when its prefix is unknown, so that both cases take the same time.
  const matches = timingSafeEqual(secretHash, row?.secretHash ?? Buffer.alloc(32));
  if (!row || !matches || row.isOver) return null;
  const { organizationId, keyId, plan, suspended, requestsPerMinute, maxConcurrent } = row;
  const limits = { requestsPerMinute, maxConcurrent };
  const terms = { redaction: redactionOfColumns(row), vocabulary: row.vocabulary };
  return { organizationId, keyId, plan, suspended, limits, ...terms };
}
