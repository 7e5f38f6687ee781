// A transducer of random weights as sherpa-onnx decodes it, from this project's encoder outputs.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nemoFeatures } from '../../models/asr/nemo/features.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import { createSession, type Session } from '../../models/onnx/session.ts';
import { float32Output, float32Tensor, int64Tensor } from '../../models/onnx/tensor.ts';
import { pythonTools } from '../support/python-tools.ts';
import { clipSeconds, twinClip, twinSeed } from './cases.ts';
import { sherpaMetadata, writeNemoTwin, writeSherpaTwin, type NemoSizes } from './nemo-twin.ts';

const run = promisify(execFile);

/** Token and frame, of each clip. @param files WAV files of the clips @param work a folder */
export async function decodeBySherpa(
  sizes: NemoSizes,
  work: string,
  files: readonly string[],
): Promise<readonly number[][][]> {
  const tools = await pythonTools({
    name: 'sherpa',
    requirements: join(import.meta.dirname, '..', 'sherpa', 'requirements.txt'),
    noDependencies: true,
  });
  const whole = join(work, `whole-${sizes.mels}`);
  writeNemoTwin(sizes, twinSeed, whole);
  const session = await createSession(join(whole, 'encoder-model.onnx'));
  const pairs: string[] = [];
  for (const [i, file] of files.entries()) {
    const encoded = await encode(session, sizes.mels, toFloat(twinClip(clipSeconds[i]!)));
    const folder = join(work, `sherpa-${sizes.mels}-${i}`);
    writeSherpaTwin(sizes, { seed: twinSeed, encoded }, folder);
    pairs.push(folder, file);
  }
  const settings = JSON.stringify({ mels: sizes.mels, metadata: sherpaMetadata(sizes) });
  const script = join(import.meta.dirname, 'sherpa_reference.py');
  const python = join(tools, 'bin', 'python');
  const { stdout } = await run(python, [script, settings, ...pairs]);
  return JSON.parse(stdout) as number[][][];
}

/** What the encoder makes of a clip, [width, steps], without the steps behind its end. */
async function encode(
  session: Session,
  mels: number,
  samples: Float32Array,
): Promise<Float32Array> {
  const { data, frames, valid } = nemoFeatures(samples, mels);
  const outputs = await session.run(
    {
      audio_signal: float32Tensor(data, [1, mels, frames]),
      length: int64Tensor(BigInt64Array.of(BigInt(valid)), [1]),
    },
    ['outputs', 'encoded_lengths'],
  );
  const states = float32Output(outputs, 'outputs', [1, -1, -1]);
  const [, width, steps] = states.dims as [number, number, number];
  const length = Math.min(steps, Number((outputs.encoded_lengths!.data as BigInt64Array)[0]));
  return Float32Array.from({ length: width * length }, (_, i) => {
    return states.data[Math.floor(i / length) * steps + (i % length)]!;
  });
}
