// A model of random weights in the formats in which Whisper is published.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { halves, packed, text16, text32, u32, u8 } from './binary.ts';
import { twinContext, twinPositions, type Twin, type TwinTensor } from './whisper-twin.ts';

/** What a CTranslate2 file says about Whisper's decoder. */
const decoderFlags = {
  ...{ activation: 3, alibi: 0, alignment_heads: 1, alignment_layer: -1, pre_norm: 1 },
  ...{ scale_embeddings: 0, start_from_zero_embedding: 0 },
};

/** Fused as CTranslate2 fuses them, in half precision. */
export function writeCtranslate2(twin: Twin, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { sizes, tensors, text } = twin;
  const { heads, width } = sizes;
  const variables: Buffer[] = [];
  const scalar = (name: string, value: number): void => {
    variables.push(packed(text16(name), u8(0), u8(1), u32(1), Buffer.from(Int8Array.of(value))));
  };
  for (const [name, value] of Object.entries(decoderFlags)) scalar(`decoder/${name}`, value);
  const put = (name: string, ...parts: readonly (TwinTensor | undefined)[]): void => {
    const own = parts.map((part) => part ?? { dims: [width], values: new Float32Array(width) });
    const rows = own.reduce((sum, { dims }) => sum + dims[0]!, 0);
    const dims = [rows, ...own[0]!.dims.slice(1)];
    const data = packed(...own.map(({ values }) => halves(values)));
    const head = [text16(name), u8(dims.length), ...dims.map(u32), u8(4), u32(data.length)];
    variables.push(packed(...head, data));
  };
  const linear = (name: string, ...from: readonly string[]): void => {
    put(`${name}/weight`, ...from.map((each) => tensors.get(`${each}.weight`)));
    put(`${name}/bias`, ...from.map((each) => tensors.get(`${each}.bias`)));
  };
  const norm = (name: string, from: string): void => {
    put(`${name}/gamma`, tensors.get(`${from}.weight`));
    put(`${name}/beta`, tensors.get(`${from}.bias`));
  };
  for (const side of ['encoder', 'decoder'] as const) {
    const isDecoder = side === 'decoder';
    scalar(`${side}/num_heads`, heads);
    const count = isDecoder ? sizes.decoderLayers : sizes.encoderLayers;
    for (let i = 0; i < count; i += 1) {
      const [to, from] = [`${side}/layer_${i}`, `${side}.blocks.${i}`];
      norm(`${to}/self_attention/layer_norm`, `${from}.attn_ln`);
      const joined = ['query', 'key', 'value'].map((part) => `${from}.attn.${part}`);
      linear(`${to}/self_attention/linear_0`, ...joined);
      linear(`${to}/self_attention/linear_1`, `${from}.attn.out`);
      if (isDecoder) {
        norm(`${to}/attention/layer_norm`, `${from}.cross_attn_ln`);
        linear(`${to}/attention/linear_0`, `${from}.cross_attn.query`);
        const crossed = ['key', 'value'].map((part) => `${from}.cross_attn.${part}`);
        linear(`${to}/attention/linear_1`, ...crossed);
        linear(`${to}/attention/linear_2`, `${from}.cross_attn.out`);
      }
      norm(`${to}/ffn/layer_norm`, `${from}.mlp_ln`);
      linear(`${to}/ffn/linear_0`, `${from}.mlp.0`);
      linear(`${to}/ffn/linear_1`, `${from}.mlp.2`);
    }
    norm(`${side}/layer_norm`, isDecoder ? 'decoder.ln' : 'encoder.ln_post');
    put(`${side}/position_encodings/encodings`, tensors.get(`${side}.positional_embedding`));
  }
  for (const conv of [1, 2]) linear(`encoder/conv${conv}`, `encoder.conv${conv}`);
  put('decoder/embeddings/weight', tensors.get('decoder.token_embedding.weight'));
  const alias = [text16('decoder/projection/weight'), text16('decoder/embeddings/weight')];
  const head = [u32(6), text16('WhisperSpec'), u32(3), u32(variables.length)];
  writeFileSync(join(folder, 'model.bin'), packed(...head, ...variables, u32(1), ...alias));
  const config = { lang_ids: [], suppress_ids: [], suppress_ids_begin: [220, text.length] };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const markers = markersOf(sizes.vocabularySize, text.length);
  writeFileSync(join(folder, 'vocabulary.json'), JSON.stringify([...text, ...markers]));
}

/** Names of the ids behind the text, as far as a decoder looks for them. */
function markersOf(vocabularySize: number, text: number): readonly string[] {
  const languages = vocabularySize === 51_866 ? 100 : 99;
  const named = new Map([
    ...([
      [0, 'endoftext'],
      [1, 'startoftranscript'],
      [languages + 3, 'transcribe'],
    ] as const),
    ...([
      [languages + 6, 'nospeech'],
      [languages + 7, 'notimestamps'],
    ] as const),
  ]);
  return Array.from({ length: vocabularySize - text }, (_, i) => `<|${named.get(i) ?? i}|>`);
}

/** One safetensors file of single precision under Hugging Face's names. */
export function writeSafetensors({ sizes, tensors, text }: Twin, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  const data: Buffer[] = [];
  let end = 0;
  for (const [name, { dims, values }] of tensors) {
    const from = end;
    data.push(Buffer.from(values.buffer));
    end += values.byteLength;
    header[huggingFaceName(name)] = { dtype: 'F32', shape: dims, data_offsets: [from, end] };
  }
  const written = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(written.length));
  writeFileSync(join(folder, 'model.safetensors'), packed(length, written, ...data));
  const config = {
    architectures: ['WhisperForConditionalGeneration'],
    d_model: sizes.width,
    encoder_layers: sizes.encoderLayers,
    decoder_layers: sizes.decoderLayers,
    encoder_attention_heads: sizes.heads,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const ids = Object.fromEntries([...text, '<|endoftext|>'].map((line, id) => [line, id]));
  writeFileSync(join(folder, 'vocab.json'), JSON.stringify(ids));
}

function huggingFaceName(name: string): string {
  const renames: readonly (readonly [RegExp, string])[] = [
    [/^/, 'model.'],
    [/\.blocks\./, '.layers.'],
    [/\.cross_attn_ln/, '.encoder_attn_layer_norm'],
    [/\.attn_ln/, '.self_attn_layer_norm'],
    [/\.cross_attn\./, '.encoder_attn.'],
    [/\.attn\./, '.self_attn.'],
    [/\.query\./, '.q_proj.'],
    [/\.key\./, '.k_proj.'],
    [/\.value\./, '.v_proj.'],
    [/\.out\./, '.out_proj.'],
    [/\.mlp_ln/, '.final_layer_norm'],
    [/\.mlp\.0/, '.fc1'],
    [/\.mlp\.2/, '.fc2'],
    [/\.ln_post|\.ln\./, '.layer_norm.'],
    [/\.layer_norm\.\./, '.layer_norm.'],
    [/\.positional_embedding$/, '.embed_positions.weight'],
    [/\.token_embedding/, '.embed_tokens'],
  ];
  return renames.reduce((renamed, [from, to]) => renamed.replace(from, to), name);
}

/** Matrices in half, vectors in single precision, as whisper.cpp writes them. */
export function writeGgml({ sizes, tensors, text }: Twin, path: string): void {
  const { vocabularySize, width, heads, encoderLayers, decoderLayers, mels } = sizes;
  const head = [
    ...[vocabularySize, twinContext, width, heads, encoderLayers],
    ...[twinPositions, width, heads, decoderLayers, mels, 1],
  ];
  const bytesOf = (line: string): Buffer => {
    const printable = [...range(0x21, 0x7e), ...range(0xa1, 0xac), ...range(0xae, 0xff)];
    const others = Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) => !printable.includes(byte),
    );
    const codes = Array.from(line, (character) => character.codePointAt(0)!);
    return Buffer.from(codes.map((code) => (code < 0x1_00 ? code : others[code - 0x1_00]!)));
  };
  const written = [...tensors].map(([name, { dims, values }]) => {
    const half = dims.length > 1 && !name.includes('positional');
    // Biases of the convolutions are columns there.
    const own = /conv\d\.bias/.test(name) ? [...dims, 1] : dims;
    const sizesFirst = own.toReversed().map(u32);
    const data = half ? halves(values) : Buffer.from(values.buffer);
    const type = half ? 1 : 0;
    return packed(
      u32(own.length),
      u32(name.length),
      u32(type),
      ...sizesFirst,
      Buffer.from(name),
      data,
    );
  });
  const filters = Buffer.alloc(mels * 201 * 4);
  const pieces = text.map((line) => text32(bytesOf(line)));
  writeFileSync(
    path,
    packed(
      ...[u32(0x67_67_6d_6c), ...head.map(u32), u32(mels), u32(201), filters],
      ...[u32(pieces.length), ...pieces, ...written],
    ),
  );
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
