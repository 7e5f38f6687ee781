// A stream whose workflow cannot be started is lost, and says so in the codes of its protocol.
import test from 'ava';
import { openSocket } from '../../support/sockets.ts';
import { aStreamServer } from '../../support/stream-server.ts';
import { until } from '../../support/until.ts';

const start = { type: 'start', model: 'svc-spectra-2', task: 'transcription' };

for (const [path, protocol, code] of [
  // contract.md has no other code of a server error on this stream.
  ['/v1/audio/transcriptions/stream', 'svceet.pcm.v1', 'internal_error'],
  ['/v1/audio/spectra-2/stream', 'svc.spectra2.v1', 'not_ready'],
] as const) {
  test(`a stream of ${protocol} without orchestration ends with ${code}`, async (t) => {
    const running = await aStreamServer(t, { start: () => Promise.reject(new Error('away')) });
    const { base, account, server, db } = running;
    t.teardown(() => server.close(2_001));
    const stream = openSocket(base, path, { protocols: [protocol], key: account.key });
    if (code === 'not_ready') stream.socket.once('open', () => stream.send(start));
    await stream.message('ready');
    stream.send(new Uint8Array(320));
    const ended = await stream.ended;
    const { type, error, code: own = error.code } = ended.messages.at(-1);
    t.deepEqual([ended.code, type, own], [1011, 'error', code]);
    const read = () => db.selectFrom('requests').select('state').executeTakeFirst();
    await until(read, (row) => row?.state === 'failed');
  });
}
