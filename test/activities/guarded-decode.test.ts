// Failed decoding: two attempts per recording, a verdict per file, a budget per organization.
import { sql, type RawBuilder } from 'kysely';
import test, { type ExecutionContext } from 'ava';
import { DecodeError, DecodeRejected, DecoderDied } from '../../activities/decoder/decode-error.ts';
import { assertDecodable, guardDecode } from '../../activities/guarded-decode.ts';
import { beginDecode, failedDecodeBudget, pruneDecodes } from '../../db/decodes.ts';
import type { Db } from '../../db/database.ts';
import { ServiceError, type ErrorCode } from '../../models/contract/errors.ts';
import { anAccount, testDatabase } from '../support/database.ts';

interface Guarded {
  readonly db: Db;
  readonly organizationId: string;
  /** Decodes a file for a request; counts what is really decoded. */
  readonly decode: (
    requestId: string,
    outcome: () => unknown,
    contents?: string[],
  ) => Promise<void>;
  readonly decodes: () => number;
}

async function guarded(t: ExecutionContext, shared?: Db): Promise<Guarded> {
  const db = shared ?? (await testDatabase(t)).db;
  const { organizationId } = await anAccount(db);
  let decodes = 0;
  const decode: Guarded['decode'] = async (requestId, outcome, contents = ['sha256:a']) => {
    const ref = { organizationId, requestId, attempt: 1 };
    const file = { ref, contents };
    await assertDecodable(db, file);
    await guardDecode(db, file, async () => {
      decodes += 1;
      const result = await outcome();
      if (result instanceof Error) throw result;
    });
  };
  return { db, organizationId, decode, decodes: () => decodes };
}

const audioCode = 'audio_undecodable' as ErrorCode;
const died = () => new DecoderDied();
const rejected = (cpuSeconds: number, { killed = false, code = audioCode } = {}) => {
  const error = new DecodeError(code, 'It is broken.', { killed });
  error.cpuSeconds = cpuSeconds;
  return new DecodeRejected(error);
};

async function codeOf(t: ExecutionContext, work: Promise<void>): Promise<string> {
  return (await t.throwsAsync(work, { instanceOf: ServiceError })).code;
}

test('a decoder that crashes gets one retry, and the file none after that', async (t) => {
  const { decode, decodes } = await guarded(t);
  t.is(await codeOf(t, decode('first', died)), 'audio_undecodable');
  t.is(decodes(), 2);
  for (let i = 0; i < 20; i += 1) {
    t.is(await codeOf(t, decode(`more ${i}`, died)), 'audio_undecodable');
  }
  t.is(decodes(), 2);
  await decode('another file', () => null, ['sha256:b']);
});

test('a crash that another file caused costs this file nothing but one attempt', async (t) => {
  const { decode, decodes } = await guarded(t);
  await decode('once', () => (decodes() === 1 ? died() : null));
  t.is(decodes(), 2);
  await decode('again', () => null);
});

test('attempts that were lost with their workers count for their request', async (t) => {
  const { db, organizationId, decode, decodes } = await guarded(t);
  const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
  await beginDecode(db, ref('lost once'));
  await decode('lost once', () => null);
  t.is(decodes(), 1);
  await beginDecode(db, ref('lost twice'));
  await beginDecode(db, ref('lost twice'));
  await Promise.all(Array.from({ length: 10 }, (_, i) => decode(`beside ${i}`, () => null)));
  t.is(decodes(), 11);
  t.is(
    await codeOf(
      t,
      decode('lost twice', () => null),
    ),
    'audio_undecodable',
  );
  t.is(
    await codeOf(
      t,
      decode('same file', () => null),
    ),
    'audio_undecodable',
  );
  t.is(decodes(), 11);
});

test('a file that killed its decoder, or was costly to reject, is not decoded again', async (t) => {
  for (const cost of [rejected(0.1, { killed: true }), rejected(4)]) {
    const { decode, decodes } = await guarded(t);
    t.is(
      await codeOf(
        t,
        decode('first', () => cost),
      ),
      'audio_undecodable',
    );
    const { message } = (await t.throwsAsync(decode('second', () => cost)))!;
    t.is(message, cost.message);
    // Under any of its names.
    t.is(
      await codeOf(
        t,
        decode('third', () => null, ['object:x', 'sha256:a']),
      ),
      'audio_undecodable',
    );
    t.is(decodes(), 1);
  }
});

test('a decompression bomb that arrives a hundred times at once is decoded once', async (t) => {
  const { decode, decodes } = await guarded(t);
  const bomb = async () => {
    // Long enough for all of them to have arrived.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return rejected(0.1, { killed: true });
  };
  const codes = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      codeOf(t, decode(`copy ${i}`, bomb, ['sha256:a', `object:${i}`])),
    ),
  );
  t.deepEqual(new Set(codes), new Set(['audio_undecodable']));
  t.true(decodes() <= 2, `${decodes()} decodes`);
});

test('copies of a harmless file do not wait for each other', async (t) => {
  const { decode } = await guarded(t);
  await decode('first', () => null);
  let inside = 0;
  const all = Promise.withResolvers<null>();
  const meet = () => {
    inside += 1;
    if (inside === 8) all.resolve(null);
    return all.promise;
  };
  await Promise.all(Array.from({ length: 8 }, (_, i) => decode(`copy ${i}`, meet)));
  t.is(inside, 8);
});

test('a file that is cheap to reject, or exceeds a limit, is decoded every time', async (t) => {
  const { decode, decodes } = await guarded(t);
  for (let i = 0; i < 30; i += 1)
    await codeOf(
      t,
      decode(`cheap ${i}`, () => rejected(0.2)),
    );
  const long = rejected(3, { code: 'audio_too_long' });
  t.is(
    await codeOf(
      t,
      decode('long', () => long),
    ),
    'audio_too_long',
  );
  await decode('same file, other model', () => null);
  t.is(decodes(), 32);
});

test('failed decodes have a budget per organization', async (t) => {
  const { db, organizationId, decode, decodes } = await guarded(t);
  const files = Math.ceil(failedDecodeBudget.seconds / 6);
  for (let i = 0; i < files; i += 1) {
    t.is(
      await codeOf(
        t,
        decode(`bomb ${i}`, () => rejected(6), [`sha256:${i}`]),
      ),
      'audio_undecodable',
    );
  }
  const spent = decode('good file', () => null, ['sha256:good']);
  const error = await t.throwsAsync(spent, { instanceOf: ServiceError });
  t.is(error.code, 'rate_limited');
  t.true(Number.isInteger(error.retryAfterSeconds) && error.retryAfterSeconds! >= 1);
  t.true(error.retryAfterSeconds! <= failedDecodeBudget.windowSeconds);
  t.is(decodes(), files);
  const other = await guarded(t, db);
  await other.decode('good file', () => null, ['sha256:good']);
  // As if the window had passed.
  await db
    .updateTable('failedDecodes')
    .set({ minute: earlierBy(failedDecodeBudget.windowSeconds + 60) })
    .where('organizationId', '=', organizationId)
    .execute();
  await decode('good file', () => null, ['sha256:good']);
});

/** All minutes alike: decodes may have begun in two of them, whose rows must stay apart. */
function earlierBy(seconds: number): RawBuilder<Date> {
  return sql<Date>`minute - make_interval(secs => ${seconds})`;
}

test('expired rows are deleted in steps, and no others', async (t) => {
  const { db, organizationId } = await guarded(t);
  await sql`INSERT INTO quarantined_audio (organization_id, content, error_code, error_message,
      created_at)
    SELECT ${organizationId}, 'sha256:' || i, 'audio_undecodable', '', now() - CASE
      WHEN i <= 2500 THEN interval '25 hours' ELSE interval '23 hours' END
    FROM generate_series(1, 2503) AS i`.execute(db);
  await pruneDecodes(db);
  const left = await db.selectFrom('quarantinedAudio').select('content').execute();
  t.deepEqual(
    left.map(({ content }) => content).sort(),
    [2501, 2502, 2503].map((i) => `sha256:${i}`),
  );
});

test('rows of finished decodes go at once, those of killed ones after a day', async (t) => {
  const { db, decode } = await guarded(t);
  await decode('good', () => null);
  await codeOf(
    t,
    decode('bad', () => rejected(0.1)),
  );
  await t.throwsAsync(decode('storage', () => new Error('no space left')));
  t.deepEqual(await db.selectFrom('decodeAttempts').selectAll().execute(), []);
  await codeOf(
    t,
    decode('killed', () => rejected(1, { killed: true })),
  );
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await db.updateTable('quarantinedAudio').set({ createdAt: yesterday }).execute();
  await db
    .updateTable('failedDecodes')
    .set({ minute: earlierBy(25 * 3_600) })
    .execute();
  await decode('a day later', () => null);
  await pruneDecodes(db);
  t.deepEqual(await db.selectFrom('quarantinedAudio').selectAll().execute(), []);
  t.deepEqual(await db.selectFrom('failedDecodes').selectAll().execute(), []);
});
