// Word of completed requests the moment they commit: PostgreSQL's NOTIFY to whoever waits for one.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';
import type { RequestRef } from './request-ref.ts';

const channel = 'svc_completed';
const reconnectDelayMs = 1_000;

export interface Completions {
  /**
   * Resolves when this attempt completes, soon after its commit. It never rejects, and it may miss
   * a completion while the connection is down: wait for the workflow beside it.
   */
  next(ref: RequestRef): { readonly completed: Promise<void>; readonly stop: () => void };
  close(): Promise<void>;
}

/** Listens on a connection of its own, and connects again when it is lost. */
export function listenForCompletions(connectionString: string): Completions {
  const waiting = new Map<string, () => void>();
  let client: pg.Client | null = null;
  let closed = false;

  const connect = async (): Promise<void> => {
    const newClient = new pg.Client({ connectionString, application_name: 'svc-completions' });
    const disconnected = new Promise<void>((resolve) => {
      // One that breaks may say so twice.
      newClient.on('error', () => resolve());
      newClient.once('end', () => resolve());
    });
    newClient.on('notification', ({ payload }) => waiting.get(payload ?? '')?.());
    await newClient.connect();
    client = newClient;
    await newClient.query(`LISTEN ${channel}`);
    await disconnected;
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
      waiting.set(key, resolve);
      return { completed, stop: () => void waiting.delete(key) };
    },
    async close() {
      closed = true;
      await client?.end();
    },
  };
}

/** Sends the word with the surrounding transaction: nobody hears of what is rolled back. */
export async function announceCompletion(trx: Db, ref: RequestRef): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${keyOf(ref)})`.execute(trx);
}

/** Every session of the database could listen, so the payload names nobody. */
function keyOf({ organizationId, requestId, attempt }: RequestRef): string {
  return createHash('sha256').update(`${organizationId}\0${requestId}\0${attempt}`).digest('hex');
}
