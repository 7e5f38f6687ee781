// Silero voice activity detection (Silero Team 2024, v6), in graphs of our own over its published
// weights (training/silero_graph.py).
import type { SileroManifest } from '../bundles/manifest.ts';
import { freeNumbers, freeTensors } from '../onnx/free-tensors.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import type { Session, Tensor, Tensors } from '../onnx/session.ts';
import { float32Output, float32Tensor } from '../onnx/tensor.ts';
import { hopSamples } from './hops.ts';

/** Speech probabilities of a segment of audio. */
export interface VoiceActivityModel {
  /**
   * One probability for each hop of 512 samples; the last hop is zero-padded. The recurrent state
   * is at first that of long silence.
   * @param samples 16 kHz mono in -1..1
   */
  probabilities(samples: Float32Array): Promise<Float32Array>;
}

/** Of a hop four frames are transformed, which start each 128 samples, ... */
const frameSamples = 256;
const frameStep = 128;
const framesPerHop = 4;
/** ... the first of them so far before it, and the last reflected so far behind it. */
const contextSamples = 64;
/** Values of a hop that the recurrent part reads. */
const featureSize = 128;
const stateShape = [1, 1, featureSize];
/** Ten seconds: a state of zeros is not that of silence, and takes four to become it. */
const restHops = 312;
/** Hops that are computed at a time: their frames and features stay in the cache. */
const blockHops = 256;

/** Loads the model from a bundle's folder. */
export async function loadSilero(
  directory: string,
  { graphs, weights }: SileroManifest,
): Promise<VoiceActivityModel> {
  const [front, recurrent] = await Promise.all(
    [graphs.front, graphs.recurrent].map((graph) =>
      createGraphSession([graph], directory, [weights]),
    ),
  );
  const atRest = await restingState(front!, recurrent!);
  return {
    async probabilities(samples) {
      if (samples.length === 0) return new Float32Array(0);
      const features = featureTensor(await featuresOf(samples, front!));
      const feeds = { features, ...atRest };
      const outputs = await recurrent!.run(feeds, ['probabilities']);
      freeTensors([features]);
      return float32Output(outputs, 'probabilities', [features.dims[0]!]).data;
    },
  };
}

/** The state of the recurrent part in silence. */
async function restingState(front: Session, recurrent: Session): Promise<Tensors> {
  const silent = await featuresOf(new Float32Array(restHops * hopSamples), front);
  const zeros = float32Tensor(new Float32Array(featureSize), stateShape);
  const feeds = { features: featureTensor(silent), hidden: zeros, cell: zeros };
  const outputs = await recurrent.run(feeds);
  const [hidden, cell] = ['last_hidden', 'last_cell'].map((name) => {
    return float32Tensor(float32Output(outputs, name, stateShape).data, stateShape);
  });
  return { hidden: hidden!, cell: cell! };
}

function featureTensor(features: Float32Array): Tensor {
  return float32Tensor(features, [features.length / featureSize, featureSize]);
}

/** @returns row-major [hops, 128] */
async function featuresOf(samples: Float32Array, front: Session): Promise<Float32Array> {
  const hops = Math.ceil(samples.length / hopSamples);
  const features = new Float32Array(hops * featureSize);
  for (let first = 0; first < hops; first += blockHops) {
    const frames = framesOf(samples, first, Math.min(hops, first + blockHops));
    const rows = frames.length / frameSamples;
    const outputs = await front.run({ frames: float32Tensor(frames, [rows, frameSamples]) });
    freeNumbers(frames);
    const shape = [rows / framesPerHop, featureSize];
    const { data } = float32Output(outputs, 'features', shape);
    features.set(data, first * featureSize);
    freeTensors(Object.values(outputs));
  }
  return features;
}

/** The frames of hops, row-major [4 * hops, 256]; zeros precede the start and follow the end. */
function framesOf(samples: Float32Array, firstHop: number, endHop: number): Float32Array {
  const frames = new Float32Array((endHop - firstHop) * framesPerHop * frameSamples);
  let at = 0;
  for (let hop = firstHop; hop < endHop; hop += 1) {
    for (let frame = 0; frame < framesPerHop; frame += 1, at += frameSamples) {
      const first = hop * hopSamples - contextSamples + frame * frameStep;
      const from = Math.max(0, first);
      const end = Math.min(first + frameSamples, (hop + 1) * hopSamples);
      if (from < end) frames.set(samples.subarray(from, end), at + from - first);
    }
    // The last frame goes on with what it has just read, backwards.
    for (let n = 0; n < contextSamples; n += 1) {
      frames[at - contextSamples + n] = frames[at - contextSamples - 2 - n]!;
    }
  }
  return frames;
}
