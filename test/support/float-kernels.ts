// Which kernels of single precision ONNX Runtime has on this processor, by what they compute.
import { createHash } from 'node:crypto';
import { loadMoonshineEncoder } from '../../models/asr/moonshine-encoder.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { openModelStore } from '../../models/bundles/store.ts';
import { testServers } from './environment.ts';

const lengthSeconds = 2;

/**
 * A digest of an encoder's states, to the last bit. Products of bytes are the same integers on
 * every processor (docs/adr/0078); those of floats are added up in another order with AVX-512 than
 * with AVX2, so that an activation is rounded to another byte now and then.
 */
export async function floatKernels(): Promise<string> {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('moonshine-tiny-en', 'moonshine');
  const encoder = await loadMoonshineEncoder(directory, manifest);
  const samples = Float32Array.from({ length: lengthSeconds * sampleRate }, (_, i) => {
    return 0.2 * Math.sin(i / 7) * Math.sin(i / 901) + 0.1 * Math.sin(1.3 * i);
  });
  const { layers } = await encoder.encode(samples);
  const hash = createHash('sha256');
  for (const { data } of Object.values(layers)) hash.update(data as Float32Array);
  return hash.digest('hex').slice(0, 16);
}
