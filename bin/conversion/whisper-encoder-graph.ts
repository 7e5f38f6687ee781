// The graph of Whisper's encoder: folded frames to keys and values of the decoder's
// cross-attention. A frame is windowed and folded into its even and odd halves
// (models/audio/folded-frames.ts); behind the frames a number of them is padded.
import { slaneyFilters } from '../../models/audio/mel-filters.ts';
import { createGraphBuilder, runtimeDomain, value, type BuiltGraph } from './graph-builder.ts';

import {
  feedForward,
  headSizeOf,
  normalise,
  project,
  queriesKeysValues,
  rowScale,
  type LinearLayer,
  type WhisperDimensions,
  type WhisperGraph,
} from './whisper-layers.ts';

const frameSamples = 400;
const rate = 16_000;

export function buildWhisperEncoder(name: string, dimensions: WhisperDimensions): BuiltGraph {
  const { encoderLayers, heads, width, mels } = dimensions;
  const builder = createGraphBuilder(name);
  const graph: WhisperGraph = {
    ...builder,
    dimensions,
    linear: (x, layer) => linear(graph, x, layer),
  };
  graph.constant('zero', [0]);
  graph.constant('last_axis', [-1]);
  graph.constant('tiny', 1e-8);
  graph.constant('three_widths', [width, width, width]);
  graph.constant('root', headSizeOf(dimensions) ** -0.5);
  graph.constant('head_shape', [1, -1, 2 * heads, headSizeOf(dimensions)]);
  crossAttention(graph, states(graph, placedFrames(graph, logMel(graph))));
  graph.inputs.push(
    value('even', ['frames', frameSamples / 2 + 1]),
    value('odd', ['frames', frameSamples / 2 - 1]),
    value('padding', [1], 'int64'),
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

/** Folded frames to Whisper's log-mel [1, mels, frames + padding]. */
function logMel(graph: WhisperGraph): string {
  const { mels } = graph.dimensions;
  const half = frameSamples / 2;
  const bins = half + 1;
  // A frame's real part depends on x[n] + x[N - n] alone, its imaginary part on x[n] - x[N - n].
  const table = (rows: number, first: number, wave: (angle: number) => number) => ({
    data: Float32Array.from({ length: rows * bins }, (_, i) => {
      const sample = first + Math.floor(i / bins);
      return wave((2 * Math.PI * (sample * (i % bins))) / frameSamples);
    }),
    dims: [rows, bins],
  });
  graph.constant('cosines', table(bins, 0, Math.cos));
  graph.constant('sines', table(half - 1, 1, Math.sin));
  const data = slaneyFilters({ length: frameSamples, mels, rate });
  graph.constant('mel_filters', { data, dims: [bins, mels] });
  graph.constant('floor', 1e-10);
  graph.constant('range', 8);
  graph.constant('four', 4);
  graph.constant('log_of_ten', Math.log(10));
  decades(graph);
  return bands(graph);
}

/** Powers of ten of the mel bands [frames, mels]. */
function decades({ add }: WhisperGraph): void {
  add('MatMul', ['even', 'cosines'], ['real']);
  add('MatMul', ['odd', 'sines'], ['imaginary']);
  add('Mul', ['real', 'real'], ['real_squared']);
  add('Mul', ['imaginary', 'imaginary'], ['imaginary_squared']);
  add('Add', ['real_squared', 'imaginary_squared'], ['power']);
  add('MatMul', ['power', 'mel_filters'], ['mel']);
  add('Max', ['mel', 'floor'], ['mel_floored']);
  add('Log', ['mel_floored'], ['natural']);
  add('Div', ['natural', 'log_of_ten'], ['decades']);
}

function bands({ add }: WhisperGraph): string {
  add('ReduceMax', ['decades'], ['loudest'], { attributes: { keepdims: 1 } });
  add('Sub', ['loudest', 'range'], ['quietest']);
  add('Max', ['decades', 'quietest'], ['clamped']);
  add('Add', ['clamped', 'four'], ['raised']);
  add('Div', ['raised', 'four'], ['log_mel']);
  // Behind the clip stand zeros, not silence: that is what the model does best on.
  add('Concat', ['zero', 'zero', 'padding', 'zero'], ['pads'], { attributes: { axis: 0 } });
  add('Pad', ['log_mel', 'pads'], ['padded_log_mel']);
  add('Transpose', ['padded_log_mel'], ['bands_first'], { attributes: { perm: [1, 0] } });
  return add('Unsqueeze', ['bands_first', 'zero'], ['bands']);
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
  graph.add('Shape', [x], ['length'], { attributes: { start: 1, end: 2 } });
  const places = graph.weight('encoder/position_encodings/encodings', [context, width]);
  graph.add('Slice', [places, 'zero', 'length', 'zero'], ['places']);
  return graph.add('Add', [x, 'places'], ['placed']);
}

function states(graph: WhisperGraph, placed: string): string {
  const { encoderLayers, heads } = graph.dimensions;
  let x = placed;
  for (let layer = 0; layer < encoderLayers; layer += 1) {
    const prefix = `encoder/layer_${layer}/self_attention`;
    const parts = queriesKeysValues(graph, x, prefix);
    const options = { domain: runtimeDomain, attributes: { num_heads: heads } };
    const y = graph.add('MultiHeadAttention', parts, [`${prefix}.attended`], options);
    x = project(graph, x, y, { prefix, layer: 'linear_1' });
    x = feedForward(graph, x, `encoder/layer_${layer}/ffn`);
  }
  return normalise(graph, x, 'encoder/layer_norm', 'states');
}

/** What each layer of the decoder reads of the states: outputs `cross.<layer>.key|value`. */
function crossAttention(graph: WhisperGraph, x: string): void {
  const { decoderLayers, width, heads } = graph.dimensions;
  const headSize = headSizeOf(graph.dimensions);
  for (let layer = 0; layer < decoderLayers; layer += 1) {
    const prefix = `decoder/layer_${layer}/attention`;
    const sizes = { variable: `${prefix}/linear_1`, inner: width, outer: 2 * width };
    const joined = graph.linear(x, { ...sizes, output: `${prefix}.joined` });
    graph.add('Reshape', [joined, 'head_shape'], [`${prefix}.by_head`]);
    const [keys, values] = [`${prefix}.keys`, `${prefix}.values`] as const;
    const attributes = { axis: 2, num_outputs: 2 };
    graph.add('Split', [`${prefix}.by_head`], [keys, values], { attributes });
    const [key, held] = [`cross.${layer}.key`, `cross.${layer}.value`] as const;
    // Transposed and divided here, once, not in each step of the decoder.
    graph.add('Mul', [keys, 'root'], [`${prefix}.scaled_keys`]);
    const toKeys = { attributes: { perm: [0, 2, 3, 1] } };
    graph.add('Transpose', [`${prefix}.scaled_keys`], [key], toKeys);
    graph.add('Transpose', [values], [held], { attributes: { perm: [0, 2, 1, 3] } });
    graph.outputs.push(
      value(key, [1, heads, headSize, 'context']),
      value(held, [1, heads, 'context', headSize]),
    );
  }
}
