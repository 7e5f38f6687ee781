// Failed decodes from outside: a budget, a verdict, and an id that stays unused.
import test from 'ava';
import { failedDecodeBudget } from '../../db/decodes.ts';
import { readResults, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { noise, speech, toWav } from '../support/speech.ts';
import { testStack } from '../support/stack.ts';

test.serial('beyond the budget of failed decodes a caller waits; the id is unused', async (t) => {
  const stack = await testStack(t);
  const { organizationId, key } = stack.account;
  const wav = toWav(await speech('Thank you for calling.'));
  const send = () => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(wav)]), 'a.wav');
    const headers = { Authorization: `Bearer ${key}`, 'X-Request-ID': 'once' };
    return fetch(`${stack.base}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  };
  const milliseconds = failedDecodeBudget.seconds * 1_000;
  const spent = { organizationId, minute: new Date(), milliseconds };
  await stack.db.insertInto('failedDecodes').values(spent).execute();
  const rejected = await send();
  t.is(rejected.status, 429);
  t.is(((await rejected.json()) as { error: { code: string } }).error.code, 'rate_limited');
  const wait = Number(rejected.headers.get('Retry-After'));
  t.true(Number.isInteger(wait) && wait >= 1 && wait <= failedDecodeBudget.windowSeconds);
  await stack.db.deleteFrom('failedDecodes').execute();
  t.is((await send()).status, 200);
  const debits = stack.db.selectFrom('ledger').select('seconds').where('kind', '=', 'debit');
  t.is((await debits.execute()).length, 1);
});

test.serial(
  'a file of a batch that ended its decoder is rejected unheard, however often',
  async (t) => {
    const stack = await testStack(t);
    const { organizationId } = stack.account;
    const bomb = noise(1);
    const [bad, good] = await Promise.all(
      [bomb, await speech('Thank you.')].map((samples) => uploadFile(stack, toWav(samples))),
    );
    const again = await uploadFile(stack, toWav(bomb));
    const { objectKey: key, sha256 } = await stack.db
      .selectFrom('files')
      .select(['objectKey', 'sha256'])
      .where('id', '=', bad!)
      .executeTakeFirstOrThrow();
    t.truthy(sha256);
    const verdict = { errorCode: 'audio_undecodable', errorMessage: 'It ended its decoder.' };
    for (const content of [`object:${key}`, `sha256:${sha256}`]) {
      await stack.db
        .insertInto('quarantinedAudio')
        .values({ organizationId, content, ...verdict })
        .execute();
    }
    const ids = [...Array<string>(40).fill(bad!), again, good!];
    const { id } = await startBatch(stack, ids, { task: 'transcription' });
    const { request_counts: counts } = await untilBatch(stack, id);
    t.deepEqual([counts.failed, counts.completed], [41, 1]);
    const messages = (await readResults(stack, id)).map(
      (line) => (line as { error: { message: string } | null }).error?.message,
    );
    t.is(messages.filter((message) => message === 'It ended its decoder.').length, 41);
  },
);
