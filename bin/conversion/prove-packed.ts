// `prove-packed.ts MODELS PACKED BUNDLE`: fails unless a bundle reads speech to the last bit with
// packed weights as it does without. A process of its own, because it may crash.
import { createHash } from 'node:crypto';
import { copyFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecoder } from '../../activities/decoder/decoder.ts';
import { openProcessFolder } from '../../activities/decoder/process-folder.ts';
import { loadMoonshineDecoder } from '../../models/asr/moonshine.ts';
import { loadMoonshineEncoder } from '../../models/asr/moonshine-encoder.ts';
import { loadWhisper } from '../../models/asr/whisper/recognizer.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import { findManifest } from '../../models/bundles/manifests.ts';
import { usePackedWeights } from '../../models/onnx/packed-weights.ts';

const [models = '', packed = '', bundle = ''] = process.argv.slice(2);
const recording = join(import.meta.dirname, '..', '..', 'samples', 'call.mp3');
const lengths = [2, 7].map((seconds) => seconds * sampleRate);

async function readRecording(): Promise<Float32Array> {
  // Where nothing may be mounted, as in most containers, a decoder is a user of its own.
  const folder = await openProcessFolder(tmpdir(), () => {});
  const directory = folder.path;
  const decoder = createDecoder({ processes: 1, directory });
  const blocks: Int16Array[] = [];
  try {
    // The decoder takes the file that it is given.
    const path = join(directory, 'recording');
    await copyFile(recording, path);
    const { size: bytes } = await stat(path);
    await decoder.decode({
      ...{ organizationId: 'set-up', path, container: 'mp3', bytes },
      ...{ minSeconds: Math.max(...lengths) / sampleRate, maxSeconds: 3_600 },
      onPcm: (pcm) => void blocks.push(pcm),
    });
  } finally {
    await decoder.close();
    await folder.close();
  }
  return toFloat(joinSamples(blocks));
}

/** A digest of every number that the bundle computes for speech of several lengths. */
async function readingOf(samples: Float32Array): Promise<string> {
  const chunks = lengths.map((length) => samples.slice(0, length));
  const manifest = findManifest(bundle);
  const directory = join(models, bundle);
  const hash = createHash('sha256');
  if (manifest.family === 'whisper') {
    const whisper = await loadWhisper(directory, manifest);
    const asked = chunks.map((chunk) => ({ samples: chunk, language: 'en' }));
    hash.update(JSON.stringify(await whisper.spell(asked)));
  } else if (manifest.family === 'moonshine') {
    const encoder = await loadMoonshineEncoder(directory, manifest);
    const decoder = await loadMoonshineDecoder(directory, manifest);
    const encoded = await Promise.all(chunks.map((chunk) => encoder.encode(chunk)));
    for (const { layers } of encoded) {
      for (const { data } of Object.values(layers)) hash.update(data as Float32Array);
    }
    hash.update(JSON.stringify(await decoder.decode(encoded)));
  }
  return hash.digest('hex');
}

const samples = await readRecording();
const own = await readingOf(samples);
usePackedWeights(packed);
const others = await readingOf(samples);
if (own !== others) throw new Error(`${bundle} reads otherwise with packed weights`);
