// The graph of Whisper's encoder: folded frames to keys and values of the decoder's
// cross-attention. A frame is windowed and folded into its even and odd halves
// (models/audio/folded-frames.ts); behind the frames a number of them is padded.
import { runtimeDomain, value, type BuiltGraph } from './graph-builder.ts';
import {
  createWhisperGraph,
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

/** No value behind the activation is farther below zero. */
const leastActive = 0.17;

export function buildWhisperEncoder(name: string, dimensions: WhisperDimensions): BuiltGraph {
  const { encoderLayers, heads, width, mels } = dimensions;
  const graph = createWhisperGraph(name, dimensions, linear);
  graph.constant('around', [0, 2, 3]);
  graph.constant('by_heads', [heads, 1]);
  graph.constant('float_one', 1);
  graph.constant('by_head', [1, -1, heads, headSizeOf(dimensions)]);
  graph.constant('wider_shape', [1, -1, width + heads]);
  graph.constant('last_axis', [-1]);
  graph.constant('tiny', 1e-8);
  graph.constant('most_below_zero', leastActive);
  graph.constant('three_widths', [width, width, width]);
  graph.constant('root', attentionScale(dimensions));
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

/** Of the products of queries and keys. */
function attentionScale(dimensions: WhisperDimensions): number {
  return headSizeOf(dimensions) ** -0.5;
}

/** Rows that are alike are quantised together, others each by itself (docs/adr/0071). */
function linear(
  graph: WhisperGraph,
  x: string,
  { variable, inner, outer, output, rows }: LinearLayer,
): string {
  const weight = graph.weight(`${variable}/weight`, [inner, outer], 'int8-transposed');
  const scales = graph.weight(`${variable}/weight`, [outer], 'scale');
  const bias = graph.weight(`${variable}/bias`, [outer]);
  const options = { domain: runtimeDomain };
  if (rows === 'normalised') {
    const inputs = [x, weight, scales, '', bias];
    return graph.add('DynamicQuantizeMatMul', inputs, [output], options);
  }
  const scale = rows === 'active' ? activeScale(graph, x, output) : rowScale(graph, x, output);
  const share = graph.add('Reciprocal', [scale], [`${output}.share`]);
  const scaled = graph.add('Mul', [x, share], [`${output}.scaled`]);
  const inputs = [scaled, weight, scales, ''];
  graph.add('DynamicQuantizeMatMul', inputs, [`${output}.product`], options);
  graph.add('Mul', [`${output}.product`, scale], [`${output}.unscaled`]);
  return graph.add('Add', [`${output}.unscaled`, bias], [output]);
}

/** The largest magnitude of each row behind the activation, which has few values below zero. */
function activeScale(graph: WhisperGraph, x: string, output: string): string {
  const options = { attributes: { keepdims: 1 } };
  const largest = graph.add('ReduceMax', [x, 'last_axis'], [`${output}.largest`], options);
  return graph.add('Max', [largest, 'most_below_zero'], [`${output}.row_scale`]);
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
  weighKeys(graph);
  let x = placed;
  for (let layer = 0; layer < encoderLayers; layer += 1) {
    const prefix = `encoder/layer_${layer}/self_attention`;
    const [queries, keys, values] = queriesKeysValues(graph, x, prefix);
    const parts = [widened(graph, queries, 'ones'), widened(graph, keys, 'key_weights'), values];
    const attributes = { num_heads: heads, scale: { float: attentionScale(graph.dimensions) } };
    const options = { domain: runtimeDomain, attributes };
    const y = graph.add('MultiHeadAttention', parts, [`${prefix}.attended`], options);
    x = project(graph, x, y, { prefix, layer: 'linear_1' });
    x = feedForward(graph, x, `encoder/layer_${layer}/ffn`);
  }
  return normalise(graph, x, 'encoder/layer_norm', 'states');
}

/**
 * A key that stands for two positions has the weight of two: the logarithm of the count is added to
 * its scores, as one more channel of the keys, of which the queries have ones. As a bias it would
 * take ONNX Runtime's flash attention away, and twice the time.
 */
function weighKeys(graph: WhisperGraph): void {
  const { add } = graph;
  add('Log', ['counts'], ['log_counts']);
  add('Div', ['log_counts', 'root'], ['unscaled_log_counts']);
  add('Unsqueeze', ['unscaled_log_counts', 'around'], ['key_weight_columns']);
  add('Shape', ['counts'], ['context']);
  add('Concat', ['one', 'context', 'by_heads'], ['of_heads'], { attributes: { axis: 0 } });
  add('Expand', ['key_weight_columns', 'of_heads'], ['key_weights']);
  add('Expand', ['float_one', 'of_heads'], ['ones']);
}

/** A further channel for each head. @param channel [1, context, heads, 1] */
function widened(graph: WhisperGraph, x: string, channel: string): string {
  const byHead = graph.add('Reshape', [x, 'by_head'], [`${x}.by_head`]);
  const last = { attributes: { axis: 3 } };
  const wider = graph.add('Concat', [byHead, channel], [`${x}.weighed`], last);
  return graph.add('Reshape', [wider, 'wider_shape'], [`${x}.wider`]);
}

/**
 * What each layer of the decoder reads of the states: outputs `cross.<layer>.key|value`, as bytes
 * with a scale for each channel (docs/adr/0063).
 */
function crossAttention(graph: WhisperGraph, x: string): void {
  const { decoderLayers, width, heads } = graph.dimensions;
  const { add } = graph;
  const size = headSizeOf(graph.dimensions);
  for (let layer = 0; layer < decoderLayers; layer += 1) {
    const prefix = `decoder/layer_${layer}/attention`;
    const sizes = { variable: `${prefix}/linear_1`, inner: width, outer: 2 * width };
    const joined = graph.linear(x, { ...sizes, output: `${prefix}.joined` });
    const byHead = add('Reshape', [joined, 'head_shape'], [`${prefix}.by_head`]);
    const range = rangeOfChannels(graph, joined, prefix);
    const [key, held] = [`cross.${layer}.key`, `cross.${layer}.value`] as const;
    add('Div', [byHead, range], [`${prefix}.shares`]);
    const inputs = [`${prefix}.shares`, 'byte_step', 'zero_byte'];
    const bytes = add('QuantizeLinear', inputs, [`${prefix}.bytes`]);
    // As bytes, a quarter of the numbers' memory is moved.
    const [keys, values] = halves(graph, bytes);
    add('Transpose', [keys], [key], { attributes: { perm: [0, 2, 3, 1] } });
    add('Transpose', [values], [held], { attributes: { perm: [0, 2, 1, 3] } });
    const [keySteps, valueSteps] = halves(
      graph,
      add('Mul', [range, 'byte_step'], [`${prefix}.steps`]),
    );
    // Divided by the root here, once, not in each step of the decoder.
    add('Mul', [keySteps, 'root'], [`${key}.scale`]);
    add('Identity', [valueSteps], [`${held}.scale`]);
    sumsOfKeys(graph, keys, key);
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

/** The halves of the keys and of the values, along their heads. */
function halves(graph: WhisperGraph, x: string): readonly [keys: string, values: string] {
  const parts = [`${x}.keys`, `${x}.values`] as const;
  graph.add('Split', [x], parts, { attributes: { axis: 2, num_outputs: 2 } });
  return parts;
}

/** The largest magnitude of each channel, [1, 1, 2 heads, size]. */
function rangeOfChannels(graph: WhisperGraph, joined: string, prefix: string): string {
  const { add } = graph;
  // Over the first axis: over the second, ONNX Runtime takes six times as long.
  const rows = add('Squeeze', [joined, 'zero'], [`${prefix}.rows`]);
  const magnitude = add('Abs', [rows], [`${prefix}.magnitude`]);
  const largest = add('ReduceMax', [magnitude, 'zero'], [`${prefix}.largest`], {
    attributes: { keepdims: 1 },
  });
  const range = add('Max', [largest, 'tiny'], [`${prefix}.range_row`]);
  return add('Reshape', [range, 'head_shape'], [`${prefix}.range`]);
}

/**
 * What is added to each score because the bytes of the decoder's queries have no sign.
 * @param keys [1, context, heads, size]
 */
function sumsOfKeys(graph: WhisperGraph, keys: string, key: string): void {
  graph.add('Cast', [keys], [`${key}.floats`], { attributes: { to: 1 } });
  const options = { attributes: { keepdims: 1 } };
  graph.add('ReduceSum', [`${key}.floats`, 'last_axis'], [`${key}.sums`], options);
  const perm = { attributes: { perm: [0, 2, 3, 1] } };
  graph.add('Transpose', [`${key}.sums`], [`${key}.sums_of_heads`], perm);
  graph.add('Mul', [`${key}.sums_of_heads`, 'minus_middle'], [`${key}.offset`]);
}
