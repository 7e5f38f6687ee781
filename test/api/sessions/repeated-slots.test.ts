// A slot's recording that is sent again after its session: the request's own row decides, as for
// any request id, since the first answer may have been lost.
import { createHash, randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { fingerprint } from '../../../api/runs/fingerprint.ts';
import { claimRequest } from '../../../db/requests.ts';
import { createSession, slotRequestId } from '../../../db/sessions.ts';
import type { RequestState } from '../../../db/tables.ts';
import { call } from '../../support/batches.ts';
import { silence, toWav } from '../../support/speech.ts';
import { postFile, testStack, type TestStack } from '../../support/stack.ts';

const model = 'svc-spectra-2';
const file = toWav(silence(1));

/** A session that is over, whose slots 0 to 2 were used. */
async function anEndedSession({ db, account }: TestStack): Promise<string> {
  const { organizationId, keyId } = account;
  const token = `ss1_${randomBytes(60).toString('base64url')}`;
  await createSession(db, {
    ...{ organizationId, keyId, sessionId: 'session', token, slots: 4 },
    ...{ maxCapacitySeconds: 60, ratePerMinute: 0, lifetimeSeconds: 30 },
  });
  const recording = fingerprint({
    audioSha256: createHash('sha256').update(file).digest('hex'),
    ...{ task: 'transcription', model, keyId, transcript: null, answer: null },
    options: { diarize: false, numSpeakers: null, includeLogits: true },
  });
  const states: readonly RequestState[] = ['completed', 'running', 'failed'];
  for (const [slot, state] of states.entries()) {
    const requestId = slotRequestId('session', slot);
    const row = { task: 'transcription', model, ratePerMinute: 0, uploadKey: '' };
    await claimRequest(db, { organizationId, keyId, requestId, fingerprint: recording, ...row });
    const failure = state === 'failed' ? { errorCode: 'internal_error' } : {};
    await db
      .updateTable('requests')
      .set({ state, ...failure })
      .where('requestId', '=', requestId)
      .execute();
  }
  await sql`UPDATE prepared_sessions SET expires_at = now()`.execute(db);
  return token;
}

test('its row decides about a recording that is sent again after the session', async (t) => {
  const stack = await testStack(t, { worker: false, answerDeadlineMs: 1 });
  const token = await anEndedSession(stack);
  const headers = { 'X-Svc-Session': token };
  const send = async (slot: number, body = file) => {
    const requestId = slotRequestId('session', slot);
    const answer = await postFile(stack, '/v1/audio/transcriptions', {
      ...{ file: body, fields: { model }, requestId, headers },
    });
    return answer.body.error.code as string;
  };
  t.is(await send(0), 'request_already_completed');
  t.is(await send(1), 'request_in_progress');
  t.is(await send(0, toWav(silence(2))), 'idempotency_conflict');
  t.is(await send(2), 'timeout', 'a new attempt of what failed, though no worker runs it');
  t.is(await send(3), 'session_expired', 'a slot that was never used');
  const set = await call(stack, '/v1/audio/stream-sessions', {
    ...{ method: 'POST', body: { model, task: 'transcription' }, key: stack.account.key },
    headers: { ...headers, 'X-Request-ID': slotRequestId('session', 0) },
  });
  t.is(set.body.error.code, 'session_expired', 'a stream cannot be set up');
});
