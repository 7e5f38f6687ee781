// The graph of Whisper's encoder: folded frames to keys and values of the decoder's
// cross-attention. A frame is windowed and folded into its even and odd halves
// (models/audio/folded-frames.ts); behind the frames a number of them is padded.
import { createGraphBuilder, runtimeDomain, value, type BuiltGraph } from './graph-builder.ts';

import {
  feedForward,
  headSizeOf,
  normalise,
  project,
  queriesKeysValues,
  queryMiddle,
  rowScale,
  type LinearLayer,
  type WhisperDimensions,
  type WhisperGraph,
} from './whisper-layers.ts';
import { frameSamples, logMel } from './whisper-log-mel.ts';

export function buildWhisperEncoder(name: string, dimensions: WhisperDimensions): BuiltGraph {
  const { encoderLayers, heads, width, mels } = dimensions;
  const builder = createGraphBuilder(name);
  const graph: WhisperGraph = {
    ...builder,
    dimensions,
    linear: (x, layer) => linear(graph, x, layer),
  };
  graph.constant('zero', [0]);
  graph.constant('one', [1]);
  graph.constant('ones', [1, 1]);
  graph.constant('last_axis', [-1]);
  graph.constant('tiny', 1e-8);
  graph.constant('three_widths', [width, width, width]);
  graph.constant('root', headSizeOf(dimensions) ** -0.5);
  graph.constant('over_size', [2]);
  graph.constant('scale_shape', [1, 1, heads, headSizeOf(dimensions)]);
  graph.constant('zero_byte', { signedByte: 0 });
  graph.constant('minus_middle', -queryMiddle);
  graph.constant('head_shape', [1, -1, 2 * heads, headSizeOf(dimensions)]);
  crossAttention(graph, states(graph, placedFrames(graph, logMel(graph))));
  graph.inputs.push(
    value('even', ['frames', frameSamples / 2 + 1]),
    value('odd', ['frames', frameSamples / 2 - 1]),
    value('padding', [1], 'int64'),
    // Of each state, and how many positions it stands for.
    value('positions', ['context'], 'int64'),
    value('counts', ['context']),
    // The share of its largest magnitude that a byte of a key or value stands for.
    value('byte_step', []),
  );
  graph.outputs.push(value('log_mel', ['frames', mels]));
  // Others may run between the parts (docs/adr/0019). They end behind a normalisation, which is
  // one kernel with the sum before it.
  const layers = Array.from({ length: encoderLayers }, (_, layer) => {
    return `encoder/layer_${layer}/self_attention.normal`;
  });
  return graph.build([...layers, 'states']);
}

function linear(
  graph: WhisperGraph,
  x: string,
  { variable, inner, outer, output }: LinearLayer,
): string {
  const scale = rowScale(graph, x, output);
  const scaled = graph.add('Div', [x, scale], [`${output}.scaled`]);
  const weight = graph.weight(`${variable}/weight`, [inner, outer], 'int8-transposed');
  const scales = graph.weight(`${variable}/weight`, [outer], 'scale');
  const options = { domain: runtimeDomain };
  const inputs = [scaled, weight, scales, ''];
  graph.add('DynamicQuantizeMatMul', inputs, [`${output}.product`], options);
  graph.add('Mul', [`${output}.product`, scale], [`${output}.unscaled`]);
  const bias = graph.weight(`${variable}/bias`, [outer]);
  return graph.add('Add', [`${output}.unscaled`, bias], [output]);
}

/** Bands to states with their positions [1, context, width]: two convolutions. */
function placedFrames(graph: WhisperGraph, bandsFirst: string): string {
  const { mels, width, context } = graph.dimensions;
  let x = bandsFirst;
  for (const [conv, channels, stride] of [[1, mels, 1] as const, [2, width, 2] as const]) {
    const weights = [
      graph.weight(`encoder/conv${conv}/weight`, [width, channels, 3]),
      graph.weight(`encoder/conv${conv}/bias`, [width]),
    ];
    const attributes = { pads: [1, 1], strides: [stride] };
    const y = graph.add('Conv', [x, ...weights], [`conv${conv}`], { attributes });
    x = graph.add('Gelu', [y], [`conv${conv}.active`], { domain: runtimeDomain });
  }
  x = graph.add('Transpose', [x], ['frames_first'], { attributes: { perm: [0, 2, 1] } });
  // Behind the last frame every position has the values of the last, which holds zeros alone.
  graph.add('Shape', [x], ['length'], { attributes: { start: 1, end: 2 } });
  graph.add('Sub', ['length', 'one'], ['last']);
  graph.add('Min', ['positions', 'last'], ['rows']);
  graph.add('Gather', [x, 'rows'], ['unplaced'], { attributes: { axis: 1 } });
  const places = graph.weight('encoder/position_encodings/encodings', [context, width]);
  graph.add('Gather', [places, 'positions'], ['places'], { attributes: { axis: 0 } });
  return graph.add('Add', ['unplaced', 'places'], ['placed']);
}

function states(graph: WhisperGraph, placed: string): string {
  const { encoderLayers, heads } = graph.dimensions;
  // A key that stands for two has the weight of two.
  graph.add('Log', ['counts'], ['log_counts']);
  graph.add('Shape', ['counts'], ['context']);
  graph.add('Concat', ['ones', 'context', 'context'], ['square'], { attributes: { axis: 0 } });
  graph.add('Expand', ['log_counts', 'square'], ['key_weights']);
  let x = placed;
  for (let layer = 0; layer < encoderLayers; layer += 1) {
    const prefix = `encoder/layer_${layer}/self_attention`;
    const parts = queriesKeysValues(graph, x, prefix);
    const options = { domain: runtimeDomain, attributes: { num_heads: heads } };
    const y = graph.add(
      'MultiHeadAttention',
      [...parts, '', '', 'key_weights'],
      [`${prefix}.attended`],
      options,
    );
    x = project(graph, x, y, { prefix, layer: 'linear_1' });
    x = feedForward(graph, x, `encoder/layer_${layer}/ffn`);
  }
  return normalise(graph, x, 'encoder/layer_norm', 'states');
}

/**
 * What each layer of the decoder reads of the states: outputs `cross.<layer>.key|value`, as bytes
 * with a scale for each channel (docs/adr/0063).
 */
function crossAttention(graph: WhisperGraph, x: string): void {
  const { decoderLayers, width, heads } = graph.dimensions;
  const size = headSizeOf(graph.dimensions);
  for (let layer = 0; layer < decoderLayers; layer += 1) {
    const prefix = `decoder/layer_${layer}/attention`;
    const sizes = { variable: `${prefix}/linear_1`, inner: width, outer: 2 * width };
    const joined = graph.linear(x, { ...sizes, output: `${prefix}.joined` });
    const byHead = graph.add('Reshape', [joined, 'head_shape'], [`${prefix}.by_head`]);
    const channels = graph.add('Transpose', [byHead], [`${prefix}.channels`], toChannels);
    const [keyRange, valueRange] = halves(graph, rangesOf(graph, channels, prefix), 1);
    const [key, held] = [`cross.${layer}.key`, `cross.${layer}.value`] as const;
    // Divided by the root here, once, not in each step of the decoder.
    asBytes(graph, { x: halves(graph, channels, 1)[0], range: keyRange, y: key });
    const keyScale = scaleOf(graph, keyRange, key);
    graph.add('Mul', [keyScale, 'root'], [`${key}.scale`]);
    sumsOfKeys(graph, key);
    const ranges = graph.add('Reshape', [valueRange, 'scale_shape'], [`${held}.range`]);
    const rows = `${held}.rows`;
    asBytes(graph, { x: halves(graph, byHead, 2)[1], range: ranges, y: rows });
    graph.add('Transpose', [rows], [held], { attributes: { perm: [0, 2, 1, 3] } });
    graph.add('Identity', [scaleOf(graph, valueRange, held)], [`${held}.scale`]);
    const scale = [1, 1, heads, size];
    graph.outputs.push(
      value(key, [1, heads, size, 'context'], 'int8'),
      value(`${key}.scale`, scale),
      value(`${key}.offset`, [1, heads, 1, 'context']),
      value(held, [1, heads, 'context', size], 'int8'),
      value(`${held}.scale`, scale),
    );
  }
}

/** [1, context, heads, size] to [1, heads, size, context]. */
const toChannels = { attributes: { perm: [0, 2, 3, 1] } };

/** The half of the keys and that of the values. @param axis that of the heads */
function halves(graph: WhisperGraph, x: string, axis: number): readonly [string, string] {
  const parts = [`${x}.keys`, `${x}.values`] as const;
  graph.add('Split', [x], parts, { attributes: { axis, num_outputs: 2 } });
  return parts;
}

/** The largest magnitude of each channel, [1, 2 heads, size, 1]. */
function rangesOf(graph: WhisperGraph, channels: string, prefix: string): string {
  graph.add('Abs', [channels], [`${prefix}.magnitude`]);
  const options = { attributes: { keepdims: 1 } };
  const inputs = [`${prefix}.magnitude`, 'last_axis'];
  const largest = graph.add('ReduceMax', inputs, [`${prefix}.largest`], options);
  return graph.add('Max', [largest, 'tiny'], [`${prefix}.range`]);
}

interface Quantisation {
  readonly x: string;
  readonly range: string;
  readonly y: string;
}

function asBytes(graph: WhisperGraph, { x, range, y }: Quantisation): void {
  graph.add('Div', [x, range], [`${y}.shares`]);
  graph.add('QuantizeLinear', [`${y}.shares`, 'byte_step', 'zero_byte'], [y]);
}

/** What a byte of each channel stands for, [1, 1, heads, size]. */
function scaleOf(graph: WhisperGraph, range: string, y: string): string {
  const rows = graph.add('Reshape', [range, 'scale_shape'], [`${y}.ranges`]);
  return graph.add('Mul', [rows, 'byte_step'], [`${y}.steps`]);
}

/** What is added to each score because the bytes of the decoder's queries have no sign. */
function sumsOfKeys(graph: WhisperGraph, key: string): void {
  graph.add('Cast', [key], [`${key}.floats`], { attributes: { to: 1 } });
  const options = { attributes: { keepdims: 1 } };
  graph.add('ReduceSum', [`${key}.floats`, 'over_size'], [`${key}.sums`], options);
  graph.add('Mul', [`${key}.sums`, 'minus_middle'], [`${key}.offset`]);
}
