// Ratio 2: the decoder that is started ahead / the ffmpeg program on the same file.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDecoder, type Decoder } from '../../activities/decoder/decoder.ts';
import type { Container } from '../../models/contract/containers.ts';
import { encode, toWav, withDirectory } from '../support/speech.ts';
import { measureRatio, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

const run = promisify(execFile);
const maxBuffer = 2 ** 28;

export async function measureDecode(): Promise<readonly Ratio[]> {
  const decoder = createDecoder({ processes: 1 });
  await decoder.ready();
  try {
    const call = toWav(await longCall(10));
    const clip = toWav((await longCall(1)).slice(0, 32_000));
    const files: readonly (readonly [string, Container, Buffer, string])[] = [
      ['10 min mp3', 'mp3', await encode(call, 'mp3'), '<= 1.10'],
      ['10 min m4a', 'm4a', await encode(call, 'm4a'), '<= 1.10'],
      ['10 min ogg', 'ogg', await encode(call, 'ogg'), '<= 1.10'],
      ['2 s mp3', 'mp3', await encode(clip, 'mp3'), '<= 0.25'],
      ['2 s wav', 'wav', clip, '<= 0.05'],
    ];
    const ratios: Ratio[] = [];
    for (const file of files) ratios.push(await measureFile(decoder, file));
    return ratios;
  } finally {
    await decoder.close();
  }
}

function measureFile(
  decoder: Decoder,
  [label, container, bytes, gate]: readonly [string, Container, Buffer, string],
): Promise<Ratio> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'file');
    await writeFile(path, bytes);
    const limits = { minSeconds: 0.1, maxSeconds: 3_600 };
    const job = { organizationId: 'bench', path, container, bytes: bytes.length, ...limits };
    const program = [
      '-loglevel',
      'error',
      '-i',
      path,
      '-ac',
      '1',
      '-ar',
      '16000',
      '-f',
      's16le',
      '-',
    ];
    return measureRatio({
      name: `2: decode ${label} / ffmpeg program`,
      gate,
      rounds: 9,
      a: () => decoder.decode({ ...job, onPcm: () => {} }),
      b: () => run('ffmpeg', program, { encoding: 'buffer', maxBuffer }),
    });
  });
}
