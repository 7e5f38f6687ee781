// The two products of the decoder's cross-attention over keys and values of bytes.
import { rowScale, type WhisperGraph } from './whisper-layers.ts';

/** Steps of a head's shares between zero and its largest. */
const shareSteps = 255;

export function shareConstants({ constant }: WhisperGraph): void {
  constant('bottom', { byte: 0 });
  constant('share_step', 1 / shareSteps);
  constant('half_step', 0.5 / shareSteps);
  constant('rest_step', 1 / shareSteps ** 2);
}

/** [clips, count, heads, size] to [clips, heads, count, size], and back. */
export const turned = { attributes: { perm: [0, 2, 1, 3] } };

/**
 * Queries times keys of bytes. Both products of the cross-attention have no zero points, and are
 * cast before they are scaled: only such products of one row are multiplied without packing the
 * whole cache anew in each step (docs/adr/0063).
 */
export function timesKeys(
  graph: WhisperGraph,
  queries: string,
  key: string,
  prefix: string,
): string {
  const { add } = graph;
  const range = rowScale(graph, queries, `${prefix}.query`);
  add('Div', [queries, range], [`${prefix}.query.scaled`]);
  add('QuantizeLinear', [`${prefix}.query.scaled`, 'step', 'middle'], [`${prefix}.query.bytes`]);
  add('MatMulInteger', [`${prefix}.query.bytes`, key], [`${prefix}.sums`]);
  add('Cast', [`${prefix}.sums`], [`${prefix}.float_sums`], { attributes: { to: 1 } });
  add('Add', [`${prefix}.float_sums`, `${key}.offset`], [`${prefix}.signed_sums`]);
  add('Mul', [range, 'step'], [`${prefix}.query.scale`]);
  return add('Mul', [`${prefix}.signed_sums`, `${prefix}.query.scale`], [`${prefix}.scores`]);
}

/**
 * Shares times values of bytes, [clips, count, heads, size]. Shares are two bytes, the second for
 * what the first leaves: one alone drops the many small ones of a head that looks at all of a clip.
 */
export function timesValues(
  graph: WhisperGraph,
  shares: string,
  held: string,
  prefix: string,
): string {
  const { add } = graph;
  const options = { attributes: { keepdims: 1 } };
  const largest = add('ReduceMax', [shares, 'last_axis'], [`${prefix}.largest_share`], options);
  const scaled = add('Div', [shares, largest], [`${prefix}.scaled_shares`]);
  const [high, low] = [`${prefix}.high`, `${prefix}.low`];
  // Rounded down, so that the rest is not negative.
  add('Sub', [scaled, 'half_step'], [`${prefix}.lowered`]);
  add('QuantizeLinear', [`${prefix}.lowered`, 'share_step', 'bottom'], [high]);
  add('DequantizeLinear', [high, 'share_step', 'bottom'], [`${prefix}.high_part`]);
  add('Sub', [scaled, `${prefix}.high_part`], [`${prefix}.rest`]);
  add('QuantizeLinear', [`${prefix}.rest`, 'rest_step', 'bottom'], [low]);
  for (const part of [high, low]) {
    add('MatMulInteger', [part, held], [`${part}.sums`]);
    add('Cast', [`${part}.sums`], [`${part}.mixed`], { attributes: { to: 1 } });
    add('Transpose', [`${part}.mixed`], [`${part}.rows`], turned);
  }
  add('Mul', [`${low}.rows`, 'share_step'], [`${low}.in_high_steps`]);
  add('Add', [`${high}.rows`, `${low}.in_high_steps`], [`${prefix}.rows`]);
  add('Transpose', [largest], [`${prefix}.turned_largest`], turned);
  add('Mul', [`${prefix}.turned_largest`, 'share_step'], [`${prefix}.share_scale`]);
  add('Mul', [`${held}.scale`, `${prefix}.share_scale`], [`${prefix}.mixed_scale`]);
  return add('Mul', [`${prefix}.rows`, `${prefix}.mixed_scale`], [`${prefix}.mixture`]);
}
