// Whisper's front end against a plain transform: every bin by its definition, without folding.
import test from 'ava';
import { foldFrames } from '../../../models/audio/folded-frames.ts';
import { createGraphSession } from '../../../models/onnx/graph-session.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { float32Output, float32Tensor, int64Tensor } from '../../../models/onnx/tensor.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';
import { toFloat } from '../../../models/audio/waveform.ts';

const windowSamples = 400;
const bins = 201;
const bands = 80;

/** Slaney's mel scale: linear to 1 kHz, then logarithmic; triangles of unit area. */
function melWeight(band: number, bin: number): number {
  const toHertz = (mel: number): number =>
    mel < 15 ? (mel * 200) / 3 : 1_000 * Math.exp((Math.log(6.4) / 27) * (mel - 15));
  const top = 15 + Math.log(8) / (Math.log(6.4) / 27);
  const [low, centre, high] = [band, band + 1, band + 2].map((i) => toHertz((top * i) / 81));
  const hertz = bin * 40;
  const rising = (hertz - low!) / (centre! - low!);
  const falling = (high! - hertz) / (high! - centre!);
  return Math.max(0, Math.min(rising, falling)) * (2 / (high! - low!));
}

function plainLogMel(samples: Float32Array, frames: number): number[][] {
  const length = frames * 160;
  const at = (i: number): number => {
    const mirrored = i < 0 ? -i : i >= length ? 2 * (length - 1) - i : i;
    return samples[mirrored] ?? 0;
  };
  const rows = Array.from({ length: frames }, (_, frame) => {
    const power = Array.from({ length: bins }, (_, bin) => {
      let real = 0;
      let imaginary = 0;
      for (let n = 0; n < windowSamples; n += 1) {
        const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / windowSamples);
        const value = at(frame * 160 - 200 + n) * hann;
        real += value * Math.cos((2 * Math.PI * bin * n) / windowSamples);
        imaginary -= value * Math.sin((2 * Math.PI * bin * n) / windowSamples);
      }
      return real ** 2 + imaginary ** 2;
    });
    return Array.from({ length: bands }, (_, band) =>
      Math.log10(
        Math.max(
          1e-10,
          power.reduce((sum, value, bin) => sum + value * melWeight(band, bin), 0),
        ),
      ),
    );
  });
  const loudest = Math.max(...rows.flat());
  return rows.map((row) => row.map((value) => (Math.max(value, loudest - 8) + 4) / 4));
}

test('log-mel frames equal the plain transform, at the edges and past the end too', async (t) => {
  const { directory, manifest } = openModelStore(testServers().modelsDirectory).bundle(
    'whisper-base',
    'whisper',
  );
  const { graphs, weights } = manifest.encoder;
  const session = await createGraphSession(graphs, directory, [weights]);
  const samples = toFloat(await speech('One two.')).subarray(0, 9_000);
  for (const frames of [56, 80]) {
    const { even, odd } = foldFrames(samples, frames);
    const outputs = await session.run(
      {
        even: float32Tensor(even, [frames, 201]),
        odd: float32Tensor(odd, [frames, 199]),
        padding: int64Tensor(BigInt64Array.of(0n), [1]),
        positions: int64Tensor(BigInt64Array.of(0n), [1]),
        counts: float32Tensor(Float32Array.of(1), [1]),
      },
      ['log_mel'],
    );
    const { data } = float32Output(outputs, 'log_mel', [frames, bands]);
    const expected = plainLogMel(samples, frames).flat();
    const worst = expected.reduce((most, v, i) => Math.max(most, Math.abs(v - data[i]!)), 0);
    // A quarter of a decade: the scale that the model sees.
    t.true(worst < 2.5e-4, `${frames} frames: ${worst}`);
  }
});
