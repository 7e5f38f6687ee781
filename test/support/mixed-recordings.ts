// Recordings as a team has them: seconds to minutes, every container, one broken, one with noise.
import { joinSamples } from '../../models/audio/samples.ts';
import { encode, noise, silence, speech, toWav, type FileFormat } from './speech.ts';

export interface MixedRecording {
  readonly file: Buffer;
  /** 16 kHz mono; null for the broken one. */
  readonly pcm: Int16Array | null;
}

export async function mixedRecordings(): Promise<readonly MixedRecording[]> {
  const said = await Promise.all([
    speech('Please hold the line for a moment.'),
    speech('I would like to change the address on my account, please.', { voice: 'rms' }),
    speech('Thank you for calling, how can I help you today?'),
  ]);
  const call = joinSamples(said.flatMap((pcm) => [pcm, silence(0.6)]));
  const long = joinSamples(Array.from({ length: 8 }, () => call));
  const wav = (pcm: Int16Array): MixedRecording => ({ file: toWav(pcm), pcm });
  const formats: readonly FileFormat[] = ['mp3', 'm4a', 'ogg', 'opus', 'webm', 'flac'];
  const encoded = await Promise.all(
    formats.map(async (format) => ({ file: await encode(toWav(call), format), pcm: call })),
  );
  const broken = { file: encoded[0]!.file.subarray(0, 300), pcm: null };
  const short = said.map(wav);
  return [...short, ...encoded, ...short, broken, wav(noise(3)), ...short, wav(long)];
}
