// A recording that a Realtime client sends as fast as its connection takes it.
import test from 'ava';
import { joinSamples } from '../../models/audio/samples.ts';
import { openAiBehindTls, openRealtimeSession } from '../support/realtime-session.ts';
import { silence, speech } from '../support/speech.ts';
import { testStack } from '../support/stack.ts';

const completed = 'conversation.item.input_audio_transcription.completed';
const turns = 40;

test('every turn is transcribed, and none is refused for the pace', async (t) => {
  const stack = await testStack(t, { streams: true });
  const session = openRealtimeSession(await openAiBehindTls(t, stack), 'svc-resonance');
  await session.eventsOf('session.created');
  const said = joinSamples([await speech('Please call me back tomorrow morning.'), silence(1)]);
  // At 24 kHz each sample lasts for one and a half of those.
  const audio = Int16Array.from(
    { length: said.length * 1.5 },
    (_, i) => said[Math.floor(i / 1.5)]!,
  );
  const append = { type: 'input_audio_buffer.append' } as const;
  const base64 = Buffer.from(audio.buffer).toString('base64');
  for (let turn = 0; turn < turns; turn += 1) session.send({ ...append, audio: base64 });
  const answers = await session.eventsOf(completed, turns);
  t.true(answers.every(({ transcript }) => /call me back/i.test(transcript)));
  const failed = 'conversation.item.input_audio_transcription.failed';
  for (const type of ['error', failed] as const) t.deepEqual(await session.eventsOf(type, 0), []);
  session.close();
});
