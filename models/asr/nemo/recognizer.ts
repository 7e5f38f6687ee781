// A nemo-tdt bundle (Parakeet TDT) as a recogniser: features, encoder, greedy decoding, words.
import { join } from 'node:path';
import type { NemoTdtManifest } from '../../bundles/manifest.ts';
import { readModelFile } from '../../bundles/store.ts';
import { createSession, type Session, type Tensor } from '../../onnx/session.ts';
import {
  float32Output,
  float32Tensor,
  int32Tensor,
  int64Tensor,
  UnexpectedOutputError,
} from '../../onnx/tensor.ts';
import { plausibleTokens } from '../plausibility.ts';
import type { Word } from '../transcript.ts';
import { groupTokens, spellWord } from '../spelled-words.ts';
import { nemoFeatures } from './features.ts';
import { decodeTransducer, type TimedToken } from './greedy-tdt.ts';
import { parseNemoVocabulary, type NemoVocabulary } from './tokens.ts';

/** Features are 10 ms apart. */
const featureSeconds = 0.01;

export interface NemoRecognizer {
  /** Tokens of a clip. @param samples 16 kHz mono in -1..1, at most 30 s */
  readonly decode: (samples: Float32Array) => Promise<readonly TimedToken[]>;
  /** Words of tokens, in seconds; [] where they are no plausible speech. */
  readonly words: (tokens: readonly TimedToken[]) => readonly Word[];
}

interface Sessions {
  readonly encoder: Session;
  readonly decoder: Session;
}

export async function loadNemoTdt(
  directory: string,
  manifest: NemoTdtManifest,
): Promise<NemoRecognizer> {
  const [encoder, decoder, file] = await Promise.all([
    createSession(join(directory, manifest.encoder)),
    createSession(join(directory, manifest.decoder)),
    readModelFile(join(directory, manifest.vocabulary)),
  ]);
  const vocabulary = parseNemoVocabulary(file);
  return {
    decode: (samples) => decodeClip({ encoder, decoder }, manifest, samples),
    words: (tokens) => wordsOf(tokens, vocabulary, manifest.subsampling * featureSeconds),
  };
}

async function decodeClip(
  { encoder, decoder }: Sessions,
  manifest: NemoTdtManifest,
  samples: Float32Array,
): Promise<readonly TimedToken[]> {
  const { mels, stateLayers, stateSize, blank, vocabularySize, maxTokensPerFrame } = manifest;
  const { data, frames, valid } = nemoFeatures(samples, mels);
  // A deviation takes two frames.
  if (valid < 2) return [];
  const encoded = await encoder.run(
    {
      audio_signal: float32Tensor(data, [1, mels, frames]),
      length: int64Tensor(BigInt64Array.of(BigInt(valid)), [1]),
    },
    ['outputs', 'encoded_lengths'],
  );
  const states = float32Output(encoded, 'outputs', [1, -1, -1]);
  const [, width, steps] = states.dims as [number, number, number];
  const length = Math.min(steps, Number((encoded.encoded_lengths!.data as BigInt64Array)[0]));
  const empty = float32Tensor(new Float32Array(stateLayers * stateSize), [
    stateLayers,
    1,
    stateSize,
  ]);
  const predict = async (frame: number, token: number, [first, second]: readonly Tensor[]) => {
    const column = Float32Array.from({ length: width }, (_, i) => states.data[i * steps + frame]!);
    const outputs = await decoder.run(
      {
        encoder_outputs: float32Tensor(column, [1, width, 1]),
        targets: int32Tensor(Int32Array.of(token), [1, 1]),
        target_length: int32Tensor(Int32Array.of(1), [1]),
        input_states_1: first!,
        input_states_2: second!,
      },
      ['outputs', 'output_states_1', 'output_states_2'],
    );
    const { data: logits } = float32Output(outputs, 'outputs', [1, 1, 1, -1]);
    if (logits.length <= vocabularySize) {
      throw new UnexpectedOutputError(`${logits.length} logits for ${vocabularySize} tokens`);
    }
    return { logits, state: [outputs.output_states_1!, outputs.output_states_2!] };
  };
  const options = { tokens: vocabularySize, blank, maxTokensPerFrame };
  return decodeTransducer(predict, [empty, empty], length, options);
}

function wordsOf(
  tokens: readonly TimedToken[],
  vocabulary: NemoVocabulary,
  frameSeconds: number,
): readonly Word[] {
  const durationSeconds = ((tokens.at(-1)?.frame ?? 0) + 1) * frameSeconds;
  const plausible = plausibleTokens({ ended: true, durationSeconds }, tokens);
  return groupTokens(plausible, vocabulary).flatMap((group) => {
    const { word, meanLogProbability } = spellWord(group, vocabulary);
    const last = group.at(-1)!;
    // A word lasts at least a frame, which no duration of zero takes from it.
    const end = last.frame + Math.max(1, last.frames);
    return word === ''
      ? []
      : [
          {
            word,
            start: group[0]!.frame * frameSeconds,
            end: end * frameSeconds,
            confidence: Math.exp(meanLogProbability),
          },
        ];
  });
}
