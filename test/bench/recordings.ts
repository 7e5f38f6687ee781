// Long calls for benchmarks: different spoken sentences with pauses, repeated to a length.
import { joinSamples } from '../../models/audio/samples.ts';
import { silence, speech } from '../support/speech.ts';

const sentences = [
  'Thank you for calling, how can I help you today?',
  'I would like to change the address on my account, please.',
  'Of course, may I have your name and the number of the account?',
  'My name is Robert Miller and the number is four seven one nine.',
  'Thank you, Robert. I can see the account in front of me now.',
  'The new address is twenty two Garden Street, on the second floor.',
  'I have changed that for you. Is there anything else I can do?',
  'No, that is everything. Thank you very much for your help.',
];

/** @returns 16 kHz mono PCM16 of exactly so many minutes */
export async function longCall(minutes: number): Promise<Int16Array> {
  const voices = ['slt', 'rms'];
  const turns = await Promise.all(
    sentences.map((text, i) => speech(text, { voice: voices[i % voices.length]! })),
  );
  const dialogue = joinSamples(turns.flatMap((turn) => [turn, silence(0.6)]));
  const samples = minutes * 60 * 16_000;
  const call = new Int16Array(samples);
  for (let offset = 0; offset < samples; offset += dialogue.length) {
    call.set(dialogue.subarray(0, samples - offset), offset);
  }
  return call;
}
