// Extensions of the streams: interim text, and sessions of OpenAI's Realtime API.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { spokenSamples } from '../recordings.ts';
import type { Service } from '../service.ts';
import { framesOf, type TestSocket } from '../../support/sockets.ts';
import { until } from '../../support/until.ts';

const live = section('Interim text', 'live.md');
const realtime = section('Realtime sessions', 'realtime.md');
const path = '/v1/audio/transcriptions/stream';
const realtimePath = '/openai/v1/realtime';

interface Heard {
  readonly socket: TestSocket;
  readonly messages: any[];
}

/** Everything that a socket receives, from its first message on. */
function listening(socket: TestSocket): Heard {
  const messages: any[] = [];
  socket.socket.on('message', (data) => messages.push(JSON.parse((data as Buffer).toString())));
  return { socket, messages };
}

/** The suite's recording over a live stream, with the messages up to the first interim ones. */
async function spokenLive(service: Service): Promise<Heard> {
  const heard = listening(service.open(path, ['svceet.pcm.live.v1']));
  await heard.socket.message('ready');
  for (const frame of framesOf(await spokenSamples())) heard.socket.send(frame);
  await until(() => heard.messages.some(({ type }) => type === 'interim'));
  return heard;
}

async function openSession(service: Service): Promise<Heard> {
  const heard = listening(service.open(`${realtimePath}?intent=transcription`, ['realtime']));
  await heard.socket.message('session.created');
  return heard;
}

const wordMembers = ['end', 'start', 'word'];

export const liveText: readonly Entry[] = [
  live.rule(
    'Two more messages come from the server, between `ready` and the result:',
    async (service) => {
      const { socket, messages } = await spokenLive(service);
      socket.send({ type: 'commit' });
      assert.equal((await socket.ended).code, 1000);
      assert.equal(messages.at(-1).type, 'final');
      for (const message of messages.slice(1, -1)) {
        if (message.type === 'revised') continue;
        const { type, stable, tail, audio_seconds: seconds, ...rest } = message;
        assert.deepEqual([type, rest, typeof seconds], ['interim', {}, 'number']);
        for (const word of [...stable, ...tail]) {
          assert.deepEqual(Object.keys(word).sort(), wordMembers);
          assert.ok(word.start <= word.end);
        }
      }
    },
  ),
  live.rule('Without it the final text begins with all of them.', async (service) => {
    const { socket, messages } = await spokenLive(service);
    socket.send({ type: 'commit' });
    await socket.ended;
    const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '');
    const stable = messages.flatMap((m) => (m.type === 'interim' ? m.stable : []));
    const spoken = bare(stable.map(({ word }) => word).join(' '));
    const isRevised = messages.some(({ type }) => type === 'revised');
    assert.ok(isRevised || bare(messages.at(-1).text).startsWith(spoken), spoken);
  }),
  live.rule('if both are offered it is the one with interim text.', async (service) => {
    const { socket } = service.open(path, ['svceet.pcm.v1', 'svceet.pcm.live.v1']);
    await new Promise((resolve) => socket.once('open', resolve));
    assert.equal(socket.protocol, 'svceet.pcm.live.v1');
    socket.close();
  }),
  realtime.rule('Other kinds of sessions are not served.', async (service) => {
    const { code, messages } = await service.open(`${realtimePath}?intent=conversation`, [
      'realtime',
    ]).ended;
    assert.deepEqual([code, messages[0].error.code], [400, 'invalid_field']);
    const { socket, messages: events } = await openSession(service);
    socket.send({ type: 'session.update', event_id: 'e1', session: { type: 'realtime' } });
    await until(() => events.some(({ type }) => type === 'error'));
    const { error } = events.find(({ type }) => type === 'error');
    assert.deepEqual([error.param, error.event_id], ['session.type', 'e1']);
    socket.socket.close();
  }),
  realtime.rule('Unsupported values are never ignored.', async (service) => {
    const { socket, messages } = await openSession(service);
    const input = { transcription: { prompt: 'names' }, noise_reduction: { type: 'near_field' } };
    socket.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
    await until(() => messages.some(({ type }) => type === 'error'));
    assert.ok(!messages.some(({ type }) => type === 'session.updated'));
    socket.socket.close();
  }),
];
