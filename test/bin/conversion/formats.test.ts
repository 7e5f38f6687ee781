// What a conversion reads and writes: graphs of the known sizes, quantised blocks, and words about
// what is wrong with a file.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { knownAlignmentHeads, publishedName } from '../../../bin/conversion/alignment-heads.ts';
import { convertFolder } from '../../../bin/conversion/convert-folder.ts';
import { ggmlTypes } from '../../../bin/conversion/ggml-blocks.ts';
import { ConversionError } from '../../../bin/conversion/model-file.ts';
import { buildWhisperDecoder } from '../../../bin/conversion/whisper-decoder-graph.ts';
import { buildWhisperEncoder } from '../../../bin/conversion/whisper-encoder-graph.ts';
import { nonSpeechTokens, whisperTokensOf } from '../../../bin/conversion/whisper-tokens.ts';
import { whisperSettingsSchema } from '../../../models/bundles/manifest.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';
import { whisperCases } from '../../twins/cases.ts';
import { writeCtranslate2, writeGgml, writeSafetensors } from '../../twins/whisper-formats.ts';
import { makeTwin } from '../../twins/whisper-twin.ts';

const base = {
  ...{ encoderLayers: 6, decoderLayers: 6, width: 512, heads: 8, feedForward: 2_048, mels: 80 },
  ...{ vocabularySize: 51_865, context: 1_500, positions: 448 },
};
const graphs = join(import.meta.dirname, '../../../models/graphs');

test("the committed graphs and their layout are those of base's sizes", (t) => {
  const heads = knownAlignmentHeads(publishedName(base, true), base);
  const encoder = buildWhisperEncoder('whisper-encoder', base);
  const decoder = buildWhisperDecoder('whisper-decoder', base, heads);
  for (const [name, model] of [...encoder.models, ...decoder.models]) {
    t.deepEqual(model, readFileSync(join(graphs, name)), name);
  }
  const { outputs } = JSON.parse(readFileSync(join(graphs, 'whisper-layout.json'), 'utf8'));
  const laidOut = [encoder, decoder].map(({ layout }) => ({
    ...layout,
    tensors: layout.tensors.map(({ variable, kind, offset }) => ({ variable, kind, offset })),
  }));
  t.deepEqual(outputs, laidOut);
});

test('sizes have the names of the published models', (t) => {
  const named = (decoderLayers: number, heads: number, mels: number, multilingual = true) =>
    publishedName({ ...base, decoderLayers, heads, mels }, multilingual);
  t.deepEqual(
    [named(4, 6, 80), named(6, 8, 80, false), named(32, 20, 80), named(32, 20, 128)],
    ['tiny', 'base.en', 'large-v2', 'large-v3'],
  );
  t.is(named(4, 20, 128), 'large-v3-turbo');
  t.is(named(5, 8, 80), null);
  const unknown = { ...base, decoderLayers: 2, heads: 2 };
  t.deepEqual(knownAlignmentHeads(null, unknown), [
    [1, 0],
    [1, 1],
  ]);
});

test('the marks that are no speech are those that the published files list', (t) => {
  const { directory, manifest } = openModelStore(testServers().modelsDirectory).bundle(
    'whisper-base',
    'whisper',
  );
  const lines = readFileSync(join(directory, manifest.vocabulary), 'utf8').split('\n');
  const end = manifest.tokens.endOfText;
  const vocabulary = whisperTokensOf(manifest.vocabularySize, lines.slice(0, end));
  t.deepEqual(vocabulary.tokens, manifest.tokens);
  const settings = readFileSync(join(directory, manifest.settings), 'utf8');
  const { suppress_ids: listed } = whisperSettingsSchema.parse(JSON.parse(settings));
  t.deepEqual(
    nonSpeechTokens(vocabulary),
    listed.filter((id) => id < end),
  );
});

test('blocks of ggml are read as the package gguf 0.19.0 reads them', (t) => {
  const path = join(import.meta.dirname, '../../twins/ggml-blocks.json');
  const blocks = JSON.parse(readFileSync(path, 'utf8')) as Record<
    string,
    { bytes: string; values: number[] }
  >;
  for (const [name, { bytes, values }] of Object.entries(blocks)) {
    const type = [...ggmlTypes.values()].find((each) => each.name === name)!;
    const data = Buffer.from(bytes, 'hex');
    t.is((data.length / type.blockBytes) * type.blockSize, values.length, name);
    // Without the sign of zero.
    t.deepEqual(
      type.read(data).map((x) => x + 0),
      Float32Array.from(values, (x) => x + 0),
      name,
    );
  }
  t.is(Object.keys(blocks).length, 5);
});

function folder(t: ExecutionContext): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-conversion-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

test('what is wrong with a model is said, and nothing is installed', async (t) => {
  const work = folder(t);
  const models = join(work, 'models');
  const twin = makeTwin(whisperCases[0]!.sizes, 3);
  writeCtranslate2(twin, join(work, 'whole'));
  writeSafetensors(twin, join(work, 'shards'));
  writeGgml(twin, join(work, 'ggml.bin'));
  mkdirSync(join(work, 'empty'));
  const damaged = (from: string, damage: (path: string) => void): string => {
    const path = mkdtempSync(join(work, 'damaged-'));
    cpSync(join(work, from), from === 'ggml.bin' ? join(path, from) : path, { recursive: true });
    damage(path);
    return path;
  };
  const without = {
    ...twin,
    tensors: new Map([...twin.tensors].filter(([n]) => n !== 'decoder.ln.bias')),
  };
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(work, 'nowhere'), /there is no .*nowhere/],
    [join(work, 'empty'), /no model in .*: model\.bin .*safetensors.*ggml/],
    [damaged('whole', (path) => truncateSync(join(path, 'model.bin'), 1_000_000)), /truncated/],
    [
      damaged('shards', (path) => truncateSync(join(path, 'model.safetensors'), 1_000_000)),
      /truncated/,
    ],
    [damaged('ggml.bin', (path) => truncateSync(join(path, 'ggml.bin'), 1_000_000)), /truncated/],
    [
      damaged('whole', (path) => writeFileSync(join(path, 'vocabulary.json'), '["a", "b"]')),
      /vocabulary is not that of the model: .* 51864 tokens has 50256 of text.* this one has 2/,
    ],
    [damaged('whole', (path) => rmSync(join(path, 'vocabulary.json'))), /no vocabulary\.json/],
    [damaged('shards', (path) => rmSync(join(path, 'config.json'))), /no config\.json/],
    [
      damaged('shards', (path) => writeSafetensors(without, path)),
      /no tensor model\.decoder\.layer_norm\.bias/,
    ],
    [
      damaged('ggml.bin', (path) => writeGgml(without, join(path, 'ggml.bin'))),
      /no tensor decoder\.ln\.bias/,
    ],
    [
      damaged('whole', (path) => writeFileSync(join(path, 'model.bin'), Buffer.alloc(64, 7))),
      /CTranslate2 version \d+, not 4 to 6/,
    ],
  ];
  for (const [from, message] of cases) {
    const error = await t.throwsAsync(convertFolder(models, 'twin', from), {
      instanceOf: ConversionError,
    });
    t.regex(error.message, message);
  }
  const taken = convertFolder(models, 'whisper-base', join(work, 'whole'));
  await t.throwsAsync(taken, { message: /whisper-base is a bundle of this version/ });
  await t.throwsAsync(convertFolder(models, '../x', join(work, 'whole')), {
    message: /small letters/,
  });
  t.deepEqual(openModelStore(models).manifests.length, openModelStore(work).manifests.length);
});
