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
