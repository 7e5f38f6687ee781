// Computes the readings of a chunk's segments: the encoder's head, and functionals for affect.
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { TimeSpan } from '../audio/samples.ts';
import { soundPhase } from '../audio/sound-phase.ts';
import { functionalHopSamples, speechFunctionals } from './functionals.ts';
import { loadPooledHead } from './head.ts';
import type { SpeechEvidence } from './no-speech.ts';
import type { SpeechCheck } from './speech-check.ts';
import type { SynthesisTraces } from './synthesis-traces.ts';
import { float32Tensor } from '../onnx/tensor.ts';

export interface SegmentReader {
  /** A span's readings end with what `speechEvidence` reads. */
  readonly endsInSpeechEvidence: boolean;
  /**
   * One row per span; [] for no spans.
   * @param samples of the chunk, 16 kHz mono
   */
  read(
    encoded: EncodedSpeech,
    samples: Float32Array,
    spans: readonly TimeSpan[],
  ): Promise<readonly Float32Array[]>;
}

/** Five hops of voice activity. */
const edgeSeconds = 0.16;

/** Class logits of the acted corpus: absolute ones, and ones relative to the recording. */
const affectLogits = 14;

/** Of the readings of a span, by a reader that ends in it. */
export function speechEvidence(readings: ArrayLike<number>): SpeechEvidence {
  return { logit: readings[readings.length - 2]!, odds: readings[readings.length - 1]! };
}

/** Each row holds the functionals, followed by the encoder's logits and the evidence of speech. */
export async function loadAffectReader(
  directory: string,
  { model, speechCheck }: { readonly model: string; readonly speechCheck: SpeechCheck },
): Promise<SegmentReader> {
  const head = await loadPooledHead(directory, { model, classes: affectLogits });
  return {
    endsInSpeechEvidence: true,
    async read(encoded, samples, spans) {
      const logits = await head.score(encoded, spans);
      const heard = await speechCheck.hear(encoded, samples, spans);
      return spans.map((span, i) => {
        const { start, end } = withEdges(span, spans);
        const part = fromFrame(samples.subarray(start * sampleRate, end * sampleRate));
        const { logit, odds } = heard[i]!;
        const functionals = speechFunctionals(part).values();
        return Float32Array.of(...functionals, ...logits[i]!, logit, odds);
      });
    },
  };
}

/**
 * A span with what is around it, at most half way to the next one. Functionals are of what is loud,
 * and that lies within: where voice activity puts the borders of a span is not decisive.
 */
export function withEdges({ start, end }: TimeSpan, spans: readonly TimeSpan[]): TimeSpan {
  let [first, last] = [Math.max(0, start - edgeSeconds), end + edgeSeconds];
  for (const other of spans) {
    if (other.start < start) first = Math.max(first, Math.min(start, (other.end + start) / 2));
    if (other.start > start) last = Math.min(last, Math.max(end, (end + other.start) / 2));
  }
  return { start: first, end: last };
}

/** Without what precedes the first frame, where frames begin at the phase of the sound. */
function fromFrame(samples: Float32Array): Float32Array {
  return samples.subarray(soundPhase(samples, functionalHopSamples));
}

/** Each row holds one logit. */
export async function loadSyntheticReader(
  directory: string,
  { model, traces }: { readonly model: string; readonly traces: SynthesisTraces },
): Promise<SegmentReader> {
  const head = await loadPooledHead(directory, { model, classes: 1 });
  return {
    endsInSpeechEvidence: false,
    async read(encoded, samples, spans) {
      const rows = await traces.read(samples, spans);
      return head.score(encoded, spans, {
        traces: float32Tensor(rows, [spans.length, traces.size]),
      });
    },
  };
}
