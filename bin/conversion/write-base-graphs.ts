// `node bin/conversion/write-base-graphs.ts`: writes the committed graphs of Whisper base and
// base.en, and the layout by which set-up converts the weights of base.
import { writeFileSync } from 'node:fs';
import { knownAlignmentHeads } from './alignment-heads.ts';
import { buildWhisperDecoder } from './whisper-decoder-graph.ts';
import { buildWhisperEncoder } from './whisper-encoder-graph.ts';
import type { WhisperDimensions } from './whisper-layers.ts';

const sizes: WhisperDimensions = {
  ...{ encoderLayers: 6, decoderLayers: 6, width: 512, heads: 8, feedForward: 2_048, mels: 80 },
  ...{ vocabularySize: 51_865, context: 1_500, positions: 448 },
};
const folder = new URL('../../models/graphs/', import.meta.url);
const encoder = buildWhisperEncoder('whisper-encoder', sizes);
const decoder = buildWhisperDecoder('whisper-decoder', sizes, knownAlignmentHeads('base', sizes));
for (const [name, model] of [...encoder.models, ...decoder.models]) {
  writeFileSync(new URL(name, folder), model);
}
// Base.en has the encoder of base, and a token less.
const english = { ...sizes, vocabularySize: 51_864 };
const heads = knownAlignmentHeads('base.en', english);
for (const [name, model] of buildWhisperDecoder('whisper-decoder', english, heads).models) {
  writeFileSync(new URL(name.replace('whisper-', 'whisper-base-en-'), folder), model);
}
const outputs = [encoder, decoder].map(({ layout }) => ({
  ...layout,
  tensors: layout.tensors.map(({ variable, kind, offset }) => ({ variable, kind, offset })),
}));
const format = 'CTranslate2 binary, version 6, WhisperSpec revision 3';
// A line for each tensor.
const text = JSON.stringify({ format, outputs }, null, 2).replaceAll(
  /\{\s+("variable"[^}]*?)\s+\}/g,
  (_, members: string) => `{ ${members.replaceAll(/\s+/g, ' ')} }`,
);
writeFileSync(new URL('whisper-layout.json', folder), `${text}\n`);
