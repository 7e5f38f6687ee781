// The graph of Whisper's decoder: tokens of several clips and caches to each one's next token. A
// clip is a row. Its numbers do not depend on those beside it: activations are quantised by row,
// and contexts are padded and masked (docs/adr/0034, 0063).
import { runtimeDomain, value, type BuiltGraph, type GraphBuilder } from './graph-builder.ts';
import { shareConstants, timesKeys, timesValues, turned } from './whisper-cross-products.ts';
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

/** A layer of the decoder and one of its heads. */
export type AlignmentHead = readonly [layer: number, head: number];

/** Steps of a row's activations between zero and its largest magnitude. */
const steps = 127;
/** Behind the end of every axis. */
const unbounded = 2 ** 62;

/** @param alignmentHeads those whose attention follows the words, by layer and head */
export function buildWhisperDecoder(
  name: string,
  dimensions: WhisperDimensions,
  alignmentHeads: readonly AlignmentHead[],
): BuiltGraph {
  const { decoderLayers, width, heads, vocabularySize } = dimensions;
  const graph = createWhisperGraph(name, dimensions, linear);
  graph.constant('last_axis', [-1]);
  graph.constant('end', [unbounded]);
  graph.constant('tiny', 1e-8);
  graph.constant('step', 1 / steps);
  graph.constant('middle', { byte: queryMiddle });
  shareConstants(graph);
  graph.constant('three_widths', [width, width, width]);
  graph.constant('by_head', [0, 0, heads, headSizeOf(dimensions)]);
  graph.constant('by_clip', [0, 0, width]);
  graph.inputs.push(
    value('tokens', ['clips', 'count'], 'int64'),
    value('forbidden', [vocabularySize]),
  );
  let x = placedTokens(graph);
  const seen: string[] = [];
  for (let layer = 0; layer < decoderLayers; layer += 1) {
    x = selfAttention(graph, x, layer);
    const crossed = crossAttention(graph, x, layer);
    x = feedForward(graph, crossed.x, `decoder/layer_${layer}/ffn`);
    declareCaches(graph, layer);
    const own = alignmentHeads.filter(([other]) => other === layer).map(([, head]) => head);
    if (own.length > 0) seen.push(attentionOf(graph, layer, crossed.shares, own));
  }
  graph.add('Concat', seen, ['attention'], { attributes: { axis: 1 } });
  graph.outputs.push(value('attention', ['clips', alignmentHeads.length, 'count', 'context']));
  nextTokens(graph, x);
  return graph.build();
}

/** Each row is quantised with a scale of its own, in steps that are the same for all. */
function linear(
  graph: WhisperGraph,
  x: string,
  { variable, inner, outer, output, bias = true }: LinearLayer,
): string {
  const scale = rowScale(graph, x, output);
  graph.add('Div', [x, scale], [`${output}.scaled`]);
  graph.add('QuantizeLinear', [`${output}.scaled`, 'step', 'middle'], [`${output}.rounded`]);
  const weight = graph.weight(`${variable}/weight`, [inner, outer], 'int8-transposed');
  const scales = graph.weight(`${variable}/weight`, [outer], 'scale');
  const product = `${output}.product`;
  const inputs = [`${output}.rounded`, weight, 'step', scales, 'middle'];
  graph.add('MatMulIntegerToFloat', inputs, [product], { domain: runtimeDomain });
  if (!bias) return graph.add('Mul', [product, scale], [output]);
  graph.add('Mul', [product, scale], [`${output}.unscaled`]);
  const added = graph.weight(`${variable}/bias`, [outer]);
  return graph.add('Add', [`${output}.unscaled`, added], [output]);
}

/** Embeddings of the tokens with their positions behind those of the caches. */
function placedTokens(graph: WhisperGraph): string {
  const { add, dimensions } = graph;
  const { vocabularySize, width, positions } = dimensions;
  const table = 'decoder/embeddings/weight';
  const rows = graph.weight(table, [vocabularySize, width], 'int8');
  add('Gather', [rows, 'tokens'], ['rows']);
  add('Cast', ['rows'], ['float_rows'], { attributes: { to: 1 } });
  add('Gather', [graph.weight(table, [vocabularySize], 'scale'), 'tokens'], ['row_scales']);
  add('Unsqueeze', ['row_scales', 'last_axis'], ['row_scale_columns']);
  add('Mul', ['float_rows', 'row_scale_columns'], ['embedded']);
  add('Shape', ['tokens'], ['count'], { attributes: { start: 1, end: 2 } });
  add('Shape', ['past.0.key'], ['from'], { attributes: { start: 2, end: 3 } });
  add('Add', ['from', 'count'], ['until']);
  const places = graph.weight('decoder/position_encodings/encodings', [positions, width]);
  add('Slice', [places, 'from', 'until', 'zero'], ['places']);
  return add('Add', ['embedded', 'places'], ['placed']);
}

function namesOf(kind: string, layer: number): readonly [key: string, value: string] {
  return [`${kind}.${layer}.key`, `${kind}.${layer}.value`];
}

function selfAttention(graph: WhisperGraph, x: string, layer: number): string {
  const prefix = `decoder/layer_${layer}/self_attention`;
  const parts = queriesKeysValues(graph, x, prefix);
  const inputs = [...parts, '', '', '', ...namesOf('past', layer)];
  const outputs = [`${prefix}.attended`, ...namesOf('present', layer)];
  const attributes = { num_heads: graph.dimensions.heads, unidirectional: 1 };
  const options = { domain: runtimeDomain, attributes };
  const y = graph.add('MultiHeadAttention', inputs, outputs, options);
  return project(graph, x, y, { prefix, layer: 'linear_1' });
}

/** What the layer adds, and how each head shares its attention out over the context. */
function crossAttention(
  graph: WhisperGraph,
  x: string,
  layer: number,
): { readonly x: string; readonly shares: string } {
  const { add, dimensions } = graph;
  const { width } = dimensions;
  const prefix = `decoder/layer_${layer}/attention`;
  const [key, held] = namesOf('cross', layer);
  const normal = normalise(graph, x, `${prefix}/layer_norm`, `${prefix}.normal`);
  const sizes = { variable: `${prefix}/linear_0`, inner: width, outer: width };
  graph.linear(normal, { ...sizes, output: `${prefix}.q` });
  add('Reshape', [`${prefix}.q`, 'by_head'], [`${prefix}.by_head`]);
  add('Mul', [`${prefix}.by_head`, `${key}.scale`], [`${prefix}.in_key_steps`]);
  const queries = add('Transpose', [`${prefix}.in_key_steps`], [`${prefix}.heads`], turned);
  const scores = timesKeys(graph, queries, key, prefix);
  const lastAxis = { attributes: { axis: -1 } };
  const shares = add('Softmax', [scores], [`${prefix}.shares`], lastAxis);
  const rows = timesValues(graph, shares, held, prefix);
  const y = add('Reshape', [rows, 'by_clip'], [`${prefix}.attended`]);
  return { x: project(graph, x, y, { prefix, layer: 'linear_2' }), shares };
}

function attentionOf(
  graph: GraphBuilder,
  layer: number,
  shares: string,
  heads: readonly number[],
): string {
  graph.constant(`heads.${layer}`, heads);
  const options = { attributes: { axis: 1 } };
  return graph.add('Gather', [shares, `heads.${layer}`], [`attention.${layer}`], options);
}

/** Logits behind each row's last token, and the likeliest of those that are not forbidden. */
function nextTokens(graph: WhisperGraph, x: string): void {
  const { add, dimensions } = graph;
  const { width, vocabularySize } = dimensions;
  add('Slice', [x, 'last_axis', 'end', 'one'], ['last_state']);
  const normal = normalise(graph, 'last_state', 'decoder/layer_norm', 'last_normal');
  const sizes = { variable: 'decoder/embeddings', inner: width, outer: vocabularySize };
  graph.linear(normal, { ...sizes, output: 'all_logits', bias: false });
  add('Squeeze', ['all_logits', 'one'], ['logits']);
  add('Add', ['logits', 'forbidden'], ['allowed']);
  add('ArgMax', ['allowed'], ['next'], { attributes: { axis: -1, keepdims: 1 } });
  add('Softmax', ['allowed'], ['probabilities'], { attributes: { axis: -1 } });
  const options = { attributes: { keepdims: 1 } };
  add('ReduceMax', ['probabilities', 'last_axis'], ['probability'], options);
  graph.outputs.push(
    value('logits', ['clips', vocabularySize]),
    value('next', ['clips', 1], 'int64'),
    value('probability', ['clips', 1]),
  );
}

function declareCaches(graph: WhisperGraph, layer: number): void {
  const { heads } = graph.dimensions;
  const headSize = headSizeOf(graph.dimensions);
  const declared = (names: readonly string[], length: string) =>
    names.map((name) => value(name, ['clips', heads, length, headSize]));
  graph.inputs.push(...declared(namesOf('past', layer), 'past'));
  const [key, held] = namesOf('cross', layer);
  graph.inputs.push(
    value(key, ['clips', heads, headSize, 'context'], 'int8'),
    value(`${key}.scale`, ['clips', 1, heads, headSize]),
    value(`${key}.offset`, ['clips', heads, 1, 'context']),
    value(held, ['clips', heads, 'context', headSize], 'int8'),
    value(`${held}.scale`, ['clips', 1, heads, headSize]),
  );
  graph.outputs.push(...declared(namesOf('present', layer), 'total'));
}
