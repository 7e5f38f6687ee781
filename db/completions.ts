// Notifies waiting callers of completed requests at their commit, through PostgreSQL's NOTIFY.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { connectionString } from './connection.ts';
import type { ClaimRef } from './request-ref.ts';

const channel = 'svc_completed';
const reconnectDelayMs = 1_000;
/** A connection that has gone silent is found within twice this time. */
const defaultAliveMs = 10_000;

export interface Completions {
  /**
   * Resolves soon after this claim's completion has committed. It never rejects, and it may miss a
   * completion while the connection is down, so wait for the workflow as well.
   */
  next(ref: ClaimRef): { readonly completed: Promise<void>; readonly stop: () => void };
  close(): Promise<void>;
}

/**
 * Listens on its own connection and reconnects when it is lost.
 * @param aliveMs between two statements of an idle connection, and the time limit of each
 */
export function listenForCompletions(url: string, aliveMs = defaultAliveMs): Completions {
  const waiting = new Map<string, Set<() => void>>();
  let client: pg.Client | null = null;
  let closed = false;

  const connect = async (): Promise<void> => {
    const newClient = new pg.Client({
      connectionString: connectionString(url),
      application_name: 'svc-completions',
      connectionTimeoutMillis: aliveMs,
      query_timeout: aliveMs,
    });
    const gone = new AbortController();
    // A broken connection may emit `error` more than once.
    newClient.on('error', () => gone.abort());
    newClient.once('end', () => gone.abort());
    newClient.on('notification', ({ payload }) => {
      for (const notify of waiting.get(payload ?? '') ?? []) notify();
    });
    await newClient.connect();
    client = newClient;
    // Repeated as a sign of life, which changes nothing: a network that drops packets ends nothing.
    while (!closed && !gone.signal.aborted) {
      await newClient.query(`LISTEN ${channel}`);
      await sleep(aliveMs, null, { signal: gone.signal, ref: false }).catch(() => {});
    }
  };
  const stayConnected = async (): Promise<void> => {
    while (!closed) {
      await connect().catch(() => {});
      await client?.end().catch(() => {});
      client = null;
      if (!closed) await sleep(reconnectDelayMs, null, { ref: false });
    }
  };
  void stayConnected();

  return {
    next(ref) {
      const key = keyOf(ref);
      const { promise: completed, resolve } = Promise.withResolvers<void>();
      waiting.set(key, (waiting.get(key) ?? new Set()).add(resolve));
      const stop = (): void => {
        const others = waiting.get(key);
        others?.delete(resolve);
        if (others?.size === 0) waiting.delete(key);
      };
      return { completed, stop };
    },
    async close() {
      closed = true;
      await client?.end();
    },
  };
}

/** Notifies with the commit of the statement that evaluates it: a rollback is never announced. */
export function completionNotice(ref: ClaimRef): RawBuilder<unknown> {
  return sql`pg_notify(${channel}, ${keyOf(ref)})`;
}

/**
 * Any session of the database can listen, so the payload is a hash. With the upload, because an id
 * that was left unused is claimed again as the same attempt.
 */
function keyOf({ organizationId, requestId, attempt, uploadKey = '' }: ClaimRef): string {
  const parts = [organizationId, requestId, attempt, uploadKey];
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}
