// What is left of an account, which is all that a caller sees of reservations and debits.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { section, type Case, type Entry } from '../case.ts';
import { prepare } from '../corpus.ts';
import { quiet, spokenSamples, wavOf } from '../recordings.ts';
import { ok, rejected, type Answer, type FileRequest, type Service } from '../service.ts';
import { framesOf, type TestSocket } from '../../support/sockets.ts';
import { until } from '../../support/until.ts';

const iface = section('Minutes', 'interface.md');
const contract = section('Minutes', 'contract.md');
const start = { type: 'start', model: 'svc-spectra-2', task: 'transcription' };
const lite = '/v1/audio/transcriptions/stream';
const fresh = (): string => `conformance-${randomUUID()}`;

interface Reserving {
  readonly stream: TestSocket;
  /** The longest recording that the account can pay for, up to 60. */
  readonly seconds: number;
}

/** A stream that reserves all that is left, up to 60 s; null when that is nothing. */
async function reserving(service: Service, key: string): Promise<Reserving | null> {
  const headers = { Authorization: `Bearer ${key}` };
  const path = '/v1/audio/spectra-2/stream';
  const stream = service.open(path, ['svc.spectra2.v1'], headers, false);
  stream.socket.once('open', () => stream.send(start));
  const first = await Promise.race([stream.message(), stream.ended]);
  if (first.type === 'ready') return { stream, seconds: first.max_audio_seconds };
  const { messages } = await stream.ended;
  assert.equal(messages.at(-1)?.error?.code, 'allowance_exhausted');
  return null;
}

/** The same once what was reserved before is released, shortly after its end. */
async function held(service: Service, key: string): Promise<Reserving> {
  return (await until(() => reserving(service, key)))!;
}

/** More than nothing: no case spends the whole. */
async function secondsLeft(service: Service, key: string): Promise<number> {
  const { stream, seconds } = await held(service, key);
  stream.send({ type: 'cancel' });
  await stream.ended;
  return seconds;
}

/** Sends a recording, again while what was reserved before is not released. */
function post(service: Service, path: string, request: FileRequest): Promise<Answer> {
  return until(
    () => service.post(`/v1/audio/${path}`, request),
    ({ status }) => status !== 402,
  );
}

/** A session that reserves all that is left. */
async function session(service: Service, key: string): Promise<any> {
  const prepared = await until(
    () => prepare(service, randomUUID(), key),
    ({ status }) => status !== 402,
  );
  return ok(prepared);
}

interface Account {
  readonly key: string;
  /** What is left when the case begins. */
  readonly seconds: number;
}

let last: Promise<unknown> = Promise.resolve();

/** The cases of the account, one after the other, because each changes what is left. */
const inTurn =
  (check: (service: Service, account: Account) => Promise<void>): Case['check'] =>
  (service) => {
    const key = service.keyOf('minute');
    const turn = last.then(async () => {
      await check(service, { key, seconds: await secondsLeft(service, key) });
    });
    last = turn.catch(() => {});
    return turn;
  };

/** A second under one id, sent twice. @returns what both took of the account */
async function twice(
  service: Service,
  path: string,
  { key, seconds }: Account,
): Promise<{ readonly statuses: readonly number[]; readonly spent: number }> {
  const request = { key, id: fresh(), file: wavOf(16_000) };
  const statuses = [
    (await post(service, path, request)).status,
    (await post(service, path, request)).status,
  ];
  return { statuses, spent: seconds - (await secondsLeft(service, key)) };
}

export const minutes: readonly Entry[] = [
  contract.rule(
    'Failure, cancellation and expiry release the reservation.',
    inTurn(async (service, { key, seconds }) => {
      assert.ok(seconds > 1 && seconds <= 60, `${seconds} s are left`);
      const cancelled = await held(service, key);
      assert.equal(await reserving(service, key), null, 'a stream reserves its maximum');
      cancelled.stream.send({ type: 'cancel' });
      const failed = await held(service, key);
      failed.stream.send(new Uint8Array(321));
      assert.equal((await failed.stream.ended).code, 1008);
      const { capacity_seconds: capacity, expires_at_ms: expires } = await session(service, key);
      assert.equal(await reserving(service, key), null, 'a session reserves its maximum');
      rejected(await prepare(service, randomUUID(), key), 402, 'allowance_exhausted');
      await sleep(expires - Date.now());
      const expired = await secondsLeft(service, key);
      assert.deepEqual([failed.seconds, capacity, expired], [seconds, seconds, seconds]);
    }),
    'minute',
  ),
  contract.rule(
    'A stream or prepared session reserves its maximum when it is set up and settles at finish.',
    inTurn(async (service, { key, seconds }) => {
      const { stream } = await held(service, key);
      stream.send(new Uint8Array((await spokenSamples()).buffer).subarray(0, 32_002));
      stream.send({ type: 'finish' });
      const { messages } = await stream.ended;
      assert.equal(messages.at(-1).usage.billable_seconds, 2);
      assert.equal(await secondsLeft(service, key), seconds - 2);
    }),
    'minute',
  ),
  contract.rule(
    '- A slot request that the session can no longer cover: 428 session_capacity_unavailable with `X-Svc-Admission: not-admitted` and the   same `X-Request-ID`; nothing was admitted,',
    inTurn(async (service, { key }) => {
      const { token, request_ids: ids, capacity_seconds: capacity } = await session(service, key);
      const spend = (samples: number) =>
        service.post('/v1/audio/transcriptions', {
          ...{ key, id: ids[0], file: wavOf(samples), headers: { 'X-Svc-Session': token } },
          fields: [['model', 'svc-spectra-2']],
        });
      const refused = await spend(capacity * 16_000 + 1);
      rejected(refused, 428, 'session_capacity_unavailable');
      assert.equal(refused.headers.get('x-svc-admission'), 'not-admitted');
      assert.equal(refused.headers.get('x-request-id'), ids[0]);
      ok(await spend(16_000));
    }),
    'minute',
  ),
  contract.rule(
    'cancel means no result and no debit.',
    inTurn(async (service, { key, seconds }) => {
      const { stream } = await held(service, key);
      for (const frame of framesOf(await spokenSamples())) stream.send(frame);
      stream.send({ type: 'cancel' });
      assert.equal((await stream.ended).messages.length, 1);
      assert.equal(await secondsLeft(service, key), seconds);
    }),
    'minute',
  ),
  contract.rule(
    'reserved exactly once the decoded duration is known, before inference; what cannot be   covered is 402 then.',
    inTurn(async (service, { key, seconds }) => {
      const request = { key, id: fresh() };
      const long = { ...request, file: wavOf(seconds * 16_000 + 1) };
      rejected(await service.post('/v1/audio/emotions', long), 402, 'allowance_exhausted');
      // Its id is unused.
      ok(await post(service, 'emotions', { ...request, file: wavOf(16_000) }));
      assert.equal(await secondsLeft(service, key), seconds - 1);
    }),
    'minute',
  ),
  contract.rule(
    '`idle` (30 s before commit; a ping counts), `allowance_exhausted`,',
    inTurn(async (service, { key, seconds }) => {
      const stream = await until(async () => {
        const headers = { Authorization: `Bearer ${key}` };
        const opened = service.open(lite, ['svceet.pcm.v1'], headers, false);
        const first = await Promise.race([opened.message(), opened.ended]);
        return first.type === 'ready' ? opened : null;
      });
      for (let sent = 0; sent <= seconds; sent += 1) stream!.send(new Uint8Array(32_000));
      const { code, messages } = await stream!.ended;
      assert.deepEqual([code, messages.at(-1).code], [1008, 'allowance_exhausted']);
      assert.equal(await secondsLeft(service, key), seconds);
    }),
    'minute',
  ),
  iface.rule(
    '- Reuse of `X-Request-ID` on the file endpoints returns 409 and never creates a second debit.',
    inTurn(async (service, account) => {
      const { statuses, spent } = await twice(service, 'emotions', account);
      assert.deepEqual([statuses, spent], [[200, 409], 1]);
    }),
    'minute',
  ),
  contract.rule(
    'the same id and fingerprint joins the running work or runs again; at most one debit.',
    inTurn(async (service, account) => {
      const { statuses, spent } = await twice(service, 'resonance-2', account);
      assert.deepEqual([statuses, spent], [[200, 200], 1]);
    }),
    'minute',
  ),
  iface.rule(
    'consumes no credits and no plan minutes.',
    inTurn(async (service, account) => {
      const { statuses, spent } = await twice(service, 'synthetic-speech', account);
      assert.deepEqual([statuses, spent], [[200, 200], 0]);
    }),
    'minute',
  ),
  iface.rule(
    '- Proficiency billing follows `check.billable`; `insufficient_audio` is free.',
    inTurn(async (service, { key, seconds }) => {
      const { check } = ok(await post(service, 'proficiency', { key, file: quiet(6) }));
      assert.deepEqual([check.status, check.billable], ['insufficient_audio', false]);
      assert.equal(await secondsLeft(service, key), seconds);
    }),
    'minute',
  ),
  iface.rule(
    'Resonance-2 without approved organization access; no inference, no billing |',
    async (service) => {
      const key = service.keyOf('unapproved');
      const before = await secondsLeft(service, key);
      assert.ok(before <= 60, `${before} s are left`);
      const request = { key, file: wavOf(32_000) };
      rejected(await service.post('/v1/audio/resonance-2', request), 403, 'model_access_required');
      assert.equal(await secondsLeft(service, key), before);
    },
    'unapproved',
  ),
];
