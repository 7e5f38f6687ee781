// The layers that Whisper's encoder and decoder share (Radford et al. 2022), as nodes of a graph.
// Weight matrices are int8 by row; weights are named after the variables of a CTranslate2 file.
import { createGraphBuilder, runtimeDomain, type GraphBuilder } from './graph-builder.ts';

/** Sizes of one model; those of its two halves differ in the number of layers only. */
export interface WhisperDimensions {
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly width: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly mels: number;
  readonly vocabularySize: number;
  /** Positions of the encoder, 20 ms each. */
  readonly context: number;
  /** Positions of the decoder: the tokens that it can hold. */
  readonly positions: number;
}

/** A linear layer. @param bias false: none */
export interface LinearLayer {
  readonly variable: string;
  readonly inner: number;
  readonly outer: number;
  readonly output: string;
  readonly bias?: boolean;
  /** What the rows come from: a normalisation, which makes them alike, or the activation. */
  readonly rows?: 'normalised' | 'active';
}

/** The graph of one half of a model; values are named after its layers. */
export interface WhisperGraph extends GraphBuilder {
  readonly dimensions: WhisperDimensions;
  /** Quantises what it multiplies: a loud frame does not coarsen the quiet ones. */
  linear(x: string, layer: LinearLayer): string;
}

/** An empty graph. @param linear how this half quantises what it multiplies */
export function createWhisperGraph(
  name: string,
  dimensions: WhisperDimensions,
  linear: (graph: WhisperGraph, x: string, layer: LinearLayer) => string,
): WhisperGraph {
  const graph: WhisperGraph = {
    ...createGraphBuilder(name),
    dimensions,
    linear: (x, layer) => linear(graph, x, layer),
  };
  graph.constant('zero', [0]);
  graph.constant('one', [1]);
  return graph;
}

/** The byte of a query that stands for zero; ONNX Runtime's quickest product has none for it. */
export const queryMiddle = 128;

export function headSizeOf({ width, heads }: WhisperDimensions): number {
  return width / heads;
}

/** The largest magnitude of each row of x. */
export function rowScale(graph: GraphBuilder, x: string, output: string): string {
  graph.add('Abs', [x], [`${output}.magnitude`]);
  const attributes = { keepdims: 1 };
  const largest = [`${output}.magnitude`, 'last_axis'];
  graph.add('ReduceMax', largest, [`${output}.largest`], { attributes });
  return graph.add('Max', [`${output}.largest`, 'tiny'], [`${output}.row_scale`]);
}

export function normalise(graph: WhisperGraph, x: string, variable: string, y: string): string {
  const { width } = graph.dimensions;
  const scale = ['gamma', 'beta'].map((part) => graph.weight(`${variable}/${part}`, [width]));
  const attributes = { epsilon: { float: 1e-5 } };
  return graph.add('LayerNormalization', [x, ...scale], [y], { attributes });
}

export function feedForward(graph: WhisperGraph, x: string, prefix: string): string {
  const { width, feedForward: wide } = graph.dimensions;
  const normal = normalise(graph, x, `${prefix}/layer_norm`, `${prefix}.normal`);
  const first = { variable: `${prefix}/linear_0`, inner: width, outer: wide };
  const spread = graph.linear(normal, { ...first, output: `${prefix}.wide`, rows: 'normalised' });
  const active = graph.add('Gelu', [spread], [`${prefix}.active`], { domain: runtimeDomain });
  const second = { variable: `${prefix}/linear_1`, inner: wide, outer: width };
  const narrow = graph.linear(active, { ...second, output: `${prefix}.narrow`, rows: 'active' });
  return graph.add('Add', [x, narrow], [`${prefix}.out`]);
}

export function queriesKeysValues(
  graph: WhisperGraph,
  x: string,
  prefix: string,
): readonly [queries: string, keys: string, values: string] {
  const { width } = graph.dimensions;
  const normal = normalise(graph, x, `${prefix}/layer_norm`, `${prefix}.normal`);
  const layer = { variable: `${prefix}/linear_0`, inner: width, outer: 3 * width };
  const joined = graph.linear(normal, { ...layer, output: `${prefix}.qkv` });
  const parts = [`${prefix}.q`, `${prefix}.k`, `${prefix}.v`] as const;
  graph.add('Split', [joined, 'three_widths'], parts, { attributes: { axis: 2 } });
  return parts;
}

/** What a layer's attention adds to x. @param layer name of the linear layer behind it */
export function project(
  graph: WhisperGraph,
  x: string,
  attended: string,
  { prefix, layer }: { readonly prefix: string; readonly layer: string },
): string {
  const { width } = graph.dimensions;
  const sizes = { variable: `${prefix}/${layer}`, inner: width, outer: width };
  const y = graph.linear(attended, { ...sizes, output: `${prefix}.projected` });
  return graph.add('Add', [x, y], [`${prefix}.out`]);
}
