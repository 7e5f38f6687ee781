// How a Spectra-2 stream is opened: ids of the answer, the model of the start, what a ticket is.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { prepare, streamSession } from '../corpus.ts';
import { ok, type Service } from '../service.ts';
import type { TestSocket } from '../../support/sockets.ts';

const iface = section('Stream opening', 'interface.md');
const contract = section('Stream opening', 'contract.md');
const path = '/v1/audio/spectra-2/stream';
const protocol = 'svc.spectra2.v1';
const start = { type: 'start', model: 'svc-spectra-2', task: 'transcription' };

const open = (service: Service, headers: Record<string, string> = {}): TestSocket =>
  service.open(path, [protocol], headers);

/** Headers of the answer that makes a stream of the connection. */
const upgraded = ({ socket }: TestSocket): Promise<any> =>
  new Promise((resolve) => socket.once('upgrade', ({ headers }) => resolve(headers)));

/** A stream of a slot, opened with its ticket, and the answer to its start. */
async function startedBy(
  service: Service,
  { session, slot }: { readonly session: any; readonly slot: number },
  message: object,
): Promise<{ readonly stream: TestSocket; readonly first: any }> {
  const { ticket } = ok(await streamSession(service, session, slot));
  const stream = service.open(path, [protocol, ticket], {}, false);
  stream.socket.once('open', () => stream.send(message));
  return { stream, first: await stream.message() };
}

export const streamOpening: readonly Entry[] = [
  contract.rule(
    'and the same id in the `X-Request-ID` response header of every response, success or failure.',
    async (service) => {
      const id = `conformance-${randomUUID()}`;
      const named = open(service, { 'X-Request-ID': id });
      assert.equal((await upgraded(named))['x-request-id'], id);
      const unnamed = open(service);
      const { 'x-request-id': created } = await upgraded(unnamed);
      for (const stream of [named, unnamed]) stream.send(start);
      assert.equal((await unnamed.message('ready')).request_id, created);
      for (const stream of [named, unnamed]) {
        stream.send({ type: 'cancel' });
        await stream.ended;
      }
      const rejection = service.open(path, [protocol], { 'X-Request-ID': id }, false);
      assert.equal((await rejection.ended).messages[0].error.request_id, id);
    },
  ),
  ...(
    [
      ['A model on an endpoint that lacks it: 400 model_not_supported.', 'svc-resonance'],
      ['Unknown id: 400 model_not_found.', 'svc-nothing'],
      ['- Retired ids (400 model_retired): `svc-spectra-1`,', 'svc-spectra-1'],
    ] as const
  ).map(([sentence, model]) =>
    contract.rule(sentence, async (service) => {
      const stream = open(service);
      stream.socket.once('open', () => stream.send({ ...start, model }));
      const { code: closeCode, messages } = await stream.ended;
      const { code, param } = messages.at(-1).error;
      assert.equal(closeCode, 1008);
      assert.deepEqual([code, param], [/model_[a-z_]+/.exec(sentence)![0], 'model']);
    }),
  ),
  contract.rule('request id are fixed by the ticket and must match if given.', async (service) => {
    const session = ok(await prepare(service));
    const opened = (slot: number, message: object) =>
      startedBy(service, { session, slot }, message);
    const bare = await opened(0, { type: 'start' });
    const { model, task, request_id: id } = bare.first;
    assert.deepEqual([model, task, id], ['svc-spectra-2', 'transcription', session.request_ids[0]]);
    const whole = await opened(1, { ...start, request_id: session.request_ids[1] });
    assert.equal(whole.first.type, 'ready');
    for (const { stream } of [bare, whole]) stream.send({ type: 'cancel' });
    for (const [i, other] of [
      { model: 'svc-resonance' },
      { task: 'analysis' },
      { request_id: session.request_ids[31] },
    ].entries()) {
      const { first, stream } = await opened(2 + i, { ...start, ...other });
      const [param] = Object.keys(other);
      assert.deepEqual([first.type, first.error?.param], ['error', param]);
      assert.equal((await stream.ended).code, 1008, param);
    }
  }),
  contract.rule('(`expires_at_ms` null without a prepared session).', async (service) => {
    const session = ok(await prepare(service));
    const ticketed = await startedBy(service, { session, slot: 0 }, start);
    assert.equal(ticketed.first.expires_at_ms, session.expires_at_ms);
    const keyed = open(service);
    keyed.socket.once('open', () => keyed.send(start));
    assert.equal((await keyed.message()).expires_at_ms, null);
    for (const stream of [ticketed.stream, keyed]) stream.send({ type: 'cancel' });
  }),
  iface.rule('the ticket is a one-request credential.', async (service) => {
    const created = ok(await streamSession(service, ok(await prepare(service)), 0));
    const protocols = [protocol, created.ticket];
    const other = { 'X-Request-ID': `conformance-${randomUUID()}` };
    const rejection = await service.open(path, protocols, other, false).ended;
    assert.equal(rejection.code, 400, 'another id');
    const stream = service.open(path, protocols, { 'X-Request-ID': created.request_id }, false);
    assert.equal((await upgraded(stream))['x-request-id'], created.request_id);
    stream.socket.close();
    await stream.ended;
  }),
];
