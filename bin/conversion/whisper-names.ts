// The names of Whisper's tensors in other formats, and what they are in CTranslate2's.
import type { WhisperDimensions } from './whisper-layers.ts';
import {
  reshaped,
  stacked,
  tensorOf,
  zeros,
  type SourceTensor,
  type SourceTensors,
} from './tensors.ts';

/** How a format names the parts of a model. */
interface Naming {
  readonly conv: (index: 1 | 2) => string;
  readonly embeddings: string;
  readonly places: (side: Side) => string;
  readonly lastNorm: (side: Side) => string;
  readonly layer: (side: Side, index: number) => LayerNaming;
}

type Side = 'encoder' | 'decoder';

interface AttentionNaming {
  readonly norm: string;
  readonly query: string;
  readonly key: string;
  readonly value: string;
  readonly out: string;
}

interface LayerNaming {
  readonly own: AttentionNaming;
  readonly cross: AttentionNaming;
  readonly norm: string;
  readonly wide: string;
  readonly narrow: string;
}

/** Names of OpenAI's checkpoints, which ggml files keep. */
export const openAiNames: Naming = {
  conv: (index) => `encoder.conv${index}`,
  embeddings: 'decoder.token_embedding.weight',
  places: (side) => `${side}.positional_embedding`,
  lastNorm: (side) => (side === 'encoder' ? 'encoder.ln_post' : 'decoder.ln'),
  layer(side, index) {
    const prefix = `${side}.blocks.${index}`;
    const attention = (name: string): AttentionNaming => ({
      norm: `${prefix}.${name}_ln`,
      query: `${prefix}.${name}.query`,
      key: `${prefix}.${name}.key`,
      value: `${prefix}.${name}.value`,
      out: `${prefix}.${name}.out`,
    });
    return {
      own: attention('attn'),
      cross: attention('cross_attn'),
      norm: `${prefix}.mlp_ln`,
      wide: `${prefix}.mlp.0`,
      narrow: `${prefix}.mlp.2`,
    };
  },
};

/** Names of Hugging Face's checkpoints. */
export const huggingFaceNames: Naming = {
  conv: (index) => `model.encoder.conv${index}`,
  embeddings: 'model.decoder.embed_tokens.weight',
  places: (side) => `model.${side}.embed_positions.weight`,
  lastNorm: (side) => `model.${side}.layer_norm`,
  layer(side, index) {
    const prefix = `model.${side}.layers.${index}`;
    const attention = (name: string): AttentionNaming => ({
      norm: `${prefix}.${name}_layer_norm`,
      query: `${prefix}.${name}.q_proj`,
      key: `${prefix}.${name}.k_proj`,
      value: `${prefix}.${name}.v_proj`,
      out: `${prefix}.${name}.out_proj`,
    });
    return {
      own: attention('self_attn'),
      cross: attention('encoder_attn'),
      norm: `${prefix}.final_layer_norm`,
      wide: `${prefix}.fc1`,
      narrow: `${prefix}.fc2`,
    };
  },
};

/** The tensors under CTranslate2's names. @throws ConversionError for a missing one */
export function renamed(
  source: SourceTensors,
  naming: Naming,
  {
    encoderLayers,
    decoderLayers,
    width,
  }: Pick<WhisperDimensions, 'encoderLayers' | 'decoderLayers' | 'width'>,
): SourceTensors {
  const tensors = new Map<string, SourceTensor>();
  const take = (name: string): SourceTensor => tensorOf(source, name);
  const put = (prefix: string, weight: SourceTensor, bias: SourceTensor): void => {
    tensors.set(`${prefix}/weight`, weight);
    tensors.set(`${prefix}/bias`, bias);
  };
  const linear = (prefix: string, name: string): void =>
    put(prefix, take(`${name}.weight`), take(`${name}.bias`));
  // One matrix for what reads the same states. A key has no bias.
  const joined = (prefix: string, names: readonly string[], key: string): void => {
    const biases = names.map((name) => (name === key ? zeros(width) : take(`${name}.bias`)));
    put(prefix, stacked(names.map((name) => take(`${name}.weight`))), stacked(biases));
  };
  const norm = (prefix: string, name: string): void => {
    tensors.set(`${prefix}/gamma`, take(`${name}.weight`));
    tensors.set(`${prefix}/beta`, take(`${name}.bias`));
  };
  const ownAttention = (prefix: string, own: AttentionNaming): void => {
    norm(`${prefix}/layer_norm`, own.norm);
    joined(`${prefix}/linear_0`, [own.query, own.key, own.value], own.key);
    linear(`${prefix}/linear_1`, own.out);
  };
  const crossAttention = (prefix: string, cross: AttentionNaming): void => {
    norm(`${prefix}/layer_norm`, cross.norm);
    linear(`${prefix}/linear_0`, cross.query);
    joined(`${prefix}/linear_1`, [cross.key, cross.value], cross.key);
    linear(`${prefix}/linear_2`, cross.out);
  };
  const halves = [['encoder', encoderLayers] as const, ['decoder', decoderLayers] as const];
  for (const [side, layers] of halves) {
    for (let index = 0; index < layers; index += 1) {
      const prefix = `${side}/layer_${index}`;
      const layer = naming.layer(side, index);
      ownAttention(`${prefix}/self_attention`, layer.own);
      if (side === 'decoder') crossAttention(`${prefix}/attention`, layer.cross);
      norm(`${prefix}/ffn/layer_norm`, layer.norm);
      linear(`${prefix}/ffn/linear_0`, layer.wide);
      linear(`${prefix}/ffn/linear_1`, layer.narrow);
    }
    norm(`${side}/layer_norm`, naming.lastNorm(side));
    tensors.set(`${side}/position_encodings/encodings`, take(naming.places(side)));
  }
  for (const index of [1, 2] as const) {
    const name = naming.conv(index);
    // ggml stores these biases as columns.
    put(`encoder/conv${index}`, take(`${name}.weight`), reshaped(take(`${name}.bias`), [width]));
  }
  tensors.set('decoder/embeddings/weight', take(naming.embeddings));
  return tensors;
}
