// Presigned uploads that a batch names: read side by side, and the first wrong item is named.
import test, { type ExecutionContext } from 'ava';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchDependencies } from '../../../api/batches/dependencies.ts';
import { createOrReplay } from '../../../api/batches/create.ts';
import { batchRequestSchema } from '../../../api/batches/schemas.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createFile } from '../../../db/files.ts';
import type { RequestedItem } from '../../../models/contract/batch-item.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { silence, toWav } from '../../support/speech.ts';

const wav = toWav(silence(0.1));
const text = Buffer.from('no recording at all');

/** Storage that holds what the test says, and counts how many reads are open. */
function storage(contents: ReadonlyMap<string, Buffer | Error>) {
  const reads = { open: 0, most: 0, all: 0 };
  const readStart = async (key: string, limit: number) => {
    reads.all += 1;
    reads.open += 1;
    reads.most = Math.max(reads.most, reads.open);
    const body = contents.get(key) ?? null;
    // Those that are wrong are known later the earlier they are named.
    if (body !== wav) for (let turns = 20 - reads.all; turns > 0; turns -= 1) await nextTurn();
    await nextTurn();
    reads.open -= 1;
    if (body instanceof Error) throw body;
    return body && { bytes: body.length, start: body.subarray(0, limit) };
  };
  return { reads, objects: { readStart } };
}

type Named = 'wav' | 'text' | 'absent' | 'broken' | 'unknown' | 'private';

async function organization(t: ExecutionContext) {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const state = { account: { ...account, redaction: null, vocabulary: [] } };
  let made = 0;
  /** A presigned upload of its own for the item. */
  const item = async (named: Named, contents: Map<string, Buffer | Error>) => {
    const customId = `item-${(made += 1)}`;
    const metadata = {};
    const unknown = { fileId: `file-${'0'.repeat(24)}` };
    if (named === 'unknown') return { customId, metadata, recording: unknown };
    const refused = { sourceUrl: 'https://127.0.0.1/call.wav' };
    if (named === 'private') return { customId, metadata, recording: refused };
    const objectKey = `uploads/${made}`;
    const file = await createFile(db, {
      ...{ organizationId: account.organizationId, objectKey, filename: 'call.wav' },
      audio: { reservedBytes: wav.length, addressLifetimeSeconds: 60 },
      ...{ lifetimeSeconds: 3_600, idempotencyKey: null, fingerprint: null },
    });
    const body = { wav, text, absent: null, broken: new Error('no answer') }[named];
    if (body) contents.set(objectKey, body);
    return { customId, metadata, recording: { fileId: file!.id } };
  };
  const post = async (names: readonly Named[]) => {
    const contents = new Map<string, Buffer | Error>();
    const items: RequestedItem[] = [];
    for (const named of names) items.push(await item(named, contents));
    const { reads, objects } = storage(contents);
    let statements = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => ((statements += 1), node),
      transformResult: async ({ result }) => result,
    });
    const given = { db: counted, objects, sourceNetworks: [] };
    const dependencies = given as unknown as BatchDependencies;
    const head = batchRequestSchema.parse({
      task: 'emotion',
      items: [{ custom_id: 'a', file_id: `file-${'0'.repeat(24)}` }],
    });
    const parsed = { head, items, fingerprint: 'f', otherFingerprint: 'f' };
    const answer = await createOrReplay(
      dependencies,
      state as unknown as RequestState,
      parsed,
      null,
    ).catch((error: Error) => error);
    return { answer, reads, statements };
  };
  return { db, post };
}

const wavs = (count: number): readonly Named[] => Array<Named>(count).fill('wav');

test('the files of a batch are read sixteen at once, and stored together', async (t) => {
  const { db, post } = await organization(t);
  const { answer, reads, statements } = await post(wavs(300));
  t.false(answer instanceof Error);
  t.like(reads, { all: 300, most: 16 });
  t.true(statements < 20, `${statements} statements`);
  const rows = await db.selectFrom('files').select(['container', 'bytes']).execute();
  t.is(rows.length, 300);
  t.true(rows.every(({ container, bytes }) => container === 'wav' && bytes === wav.length));
});

test('of several wrong items the first is named, whatever is known first', async (t) => {
  const { db, post } = await organization(t);
  const named = async (names: readonly Named[]): Promise<string> => {
    const { answer } = await post(names);
    if (answer instanceof ServiceError) return `${answer.code} ${answer.param}`;
    return answer instanceof Error ? answer.message : 'created';
  };
  const fourth = (...names: readonly Named[]): Promise<string> => named([...wavs(3), ...names]);
  t.is(await fourth('text', 'absent'), 'unsupported_audio items.3.file_id');
  const stored = await db.selectFrom('files').select('id').where('container', '=', 'wav').execute();
  t.is(stored.length, 3, 'what was found before it is kept');
  t.is(await fourth('absent', 'wav', 'text'), 'invalid_field items.3.file_id');
  t.is(await fourth('broken', 'text'), 'no answer');
  t.is(await fourth('text', 'broken'), 'unsupported_audio items.3.file_id');
  t.is(await fourth('absent', 'private'), 'invalid_field items.3.file_id');
  t.is(await fourth('private', 'absent'), 'source_refused items.3.source.url');
  t.is(await fourth('unknown', 'text'), 'invalid_field items.3.file_id');
  t.is(await named([...wavs(300), 'absent', 'text']), 'invalid_field items.300.file_id');
});

test('what follows an item that is refused unread is not read', async (t) => {
  const { post } = await organization(t);
  t.is((await post(['wav', 'unknown', ...wavs(40)])).reads.all, 1);
});
