// The first nodes of the graph of Whisper's encoder: folded frames to log-mel bands, and the zeros
// behind them.
import { slaneyFilters } from '../../models/audio/mel-filters.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { WhisperGraph } from './whisper-layers.ts';

export const frameSamples = 400;

/** Folded frames to Whisper's log-mel [1, mels, frames + padding]. */
export function logMel(graph: WhisperGraph): string {
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
  const data = slaneyFilters({ length: frameSamples, mels, rate: sampleRate });
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
