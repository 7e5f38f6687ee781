// What a message is refused for before it is parsed: brackets cost the event loop of all streams.
import test from 'ava';
import { createAudioInput } from '../../../api/realtime/audio-input.ts';
import { readMessage } from '../../../api/realtime/read-message.ts';
import { maxMessageElements } from '../../../api/streams/protocols/protocol.ts';

const read = (text: string) => readMessage(text, createAudioInput('g711_ulaw'));

test('a message of too many elements is refused, however they are written', async (t) => {
  for (const text of [
    `${'{"a":'.repeat(74_000)}1${'}'.repeat(74_000)}`,
    `{"type":"input_audio_buffer.append","audio":"","more":[${'0,'.repeat(200_000)}0]}`,
    `{"type":"input_audio_buffer.append","a":${'['.repeat(maxMessageElements)}`,
  ]) {
    const event = await read(text);
    t.like(event, { kind: 'refused', error: { code: 'invalid_json' } });
    t.regex(JSON.stringify(event), /at most 1024 elements/);
  }
});

test('long audio is one element, and a hundred terms are few', async (t) => {
  const audio = Buffer.alloc(384_000, 0xff).toString('base64');
  const event = await read(JSON.stringify({ type: 'input_audio_buffer.append', audio }));
  t.is(event.kind, 'audio');
  const keywords = Array.from({ length: 100 }, (_, i) => `term, {${i}} [`);
  const session = { type: 'transcription', audio: { input: { transcription: { keywords } } } };
  t.is((await read(JSON.stringify({ type: 'session.update', session }))).kind, 'client');
});
