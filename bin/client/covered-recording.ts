// A local recording with removed speech covered, as a mono WAV of 16 kHz.
import { coverBlock, type Cover, type CoveredSpan } from '../../models/audio/cover.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { decodeLocal } from './decode-local.ts';

const headerBytes = 44;

export interface CoveredRecording {
  readonly path: string;
  readonly spans: readonly CoveredSpan[];
  readonly cover: Cover;
}

/** @throws when the service would not accept the file */
export async function coveredRecording(recording: CoveredRecording): Promise<Buffer> {
  const { path, spans, cover } = recording;
  const blocks: Buffer[] = [];
  let samples = 0;
  await decodeLocal(path, (pcm) => {
    const block = Int16Array.from(pcm);
    coverBlock(block, samples, { spans, cover, rate: sampleRate });
    samples += block.length;
    blocks.push(Buffer.from(block.buffer));
  });
  return Buffer.concat([header(samples), ...blocks]);
}

/** Of 16-bit PCM. */
function header(samples: number): Buffer {
  const dataBytes = 2 * samples;
  const text = Buffer.alloc(headerBytes);
  text.write('RIFF', 0);
  text.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
  text.write('WAVEfmt ', 8);
  text.writeUInt32LE(16, 16);
  text.writeUInt16LE(1, 20);
  text.writeUInt16LE(1, 22);
  text.writeUInt32LE(sampleRate, 24);
  text.writeUInt32LE(2 * sampleRate, 28);
  text.writeUInt16LE(2, 32);
  text.writeUInt16LE(16, 34);
  text.write('data', 36);
  text.writeUInt32LE(dataBytes, 40);
  return text;
}
