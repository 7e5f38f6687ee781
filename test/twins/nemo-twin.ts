// A token-and-duration transducer of random weights, with the graphs and files of onnx-asr.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createGraphBuilder,
  value,
  type GraphBuilder,
} from '../../bin/conversion/graph-builder.ts';
import { createRandom } from '../support/random.ts';

export interface NemoSizes {
  readonly mels: 80 | 128;
  /** Pieces of text; the blank follows them. */
  readonly pieces: number;
}

const width = 48;
const joint = 32;
const stateSize = 24;
const durations = 5;
const stride = 8;

/** @param folder is filled with the two graphs, `vocab.txt` and `config.json` */
export function writeNemoTwin({ mels, pieces }: NemoSizes, seed: number, folder: string): void {
  const normal = seededNormal(seed);
  mkdirSync(folder, { recursive: true });
  const graphs = [encoder(mels, normal), decoder(pieces + 1, normal)];
  for (const graph of graphs) {
    for (const [name, model] of graph.build().models) writeFileSync(join(folder, name), model);
  }
  writeFileSync(join(folder, 'vocab.txt'), vocabularyText(pieces));
  const config = {
    model_type: 'nemo-conformer-tdt',
    features_size: mels,
    subsampling_factor: stride,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
}

/**
 * The same transducer as sherpa-onnx reads it: prediction and joint network apart, and an encoder
 * that has heard a clip already, because sherpa-onnx computes features of its own.
 * @param encoded of the clip, [width, steps]
 */
export function writeSherpaTwin(
  { mels, pieces }: NemoSizes,
  { seed, encoded }: { readonly seed: number; readonly encoded: Float32Array },
  folder: string,
): void {
  const normal = seededNormal(seed);
  // For the weights that follow it.
  encoder(mels, normal);
  mkdirSync(folder, { recursive: true });
  const graphs = [knownEncoder(mels, encoded), predictor(pieces + 1, normal)];
  graphs.push(joiner(pieces + 1, normal));
  for (const graph of graphs) {
    for (const [name, model] of graph.build().models) writeFileSync(join(folder, name), model);
  }
  writeFileSync(join(folder, 'tokens.txt'), vocabularyText(pieces));
}

/** What sherpa-onnx reads from the encoder's metadata. */
export function sherpaMetadata({ pieces }: NemoSizes): Readonly<Record<string, string>> {
  return {
    vocab_size: String(pieces),
    subsampling_factor: String(stride),
    normalize_type: 'per_feature',
    ...{ pred_rnn_layers: '2', pred_hidden: String(stateSize) },
    // By its address a model is known for one with durations.
    url: 'tdt',
  };
}

function vocabularyText(pieces: number): string {
  const mark = '\u2581';
  const names = Array.from({ length: pieces }, (_, i) => `${i % 3 === 0 ? mark : ''}p${i}`);
  return [...names, '<blk>'].map((name, id) => `${name} ${id}\n`).join('');
}

function seededNormal(seed: number): Normal {
  const random = createRandom(seed);
  return (dims, deviation) => ({
    data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => {
      return deviation * (2 * (random() + random() + random()) - 3);
    }),
    dims,
  });
}

type Normal = (
  dims: readonly number[],
  deviation: number,
) => { readonly data: Float32Array; readonly dims: readonly number[] };

/** A convolution in place of the layers. */
function encoder(mels: number, normal: Normal): GraphBuilder {
  const graph = createGraphBuilder('encoder-model');
  const { add, constant } = graph;
  graph.inputs.push(
    value('audio_signal', ['clips', mels, 'frames']),
    value('length', ['clips'], 'int64'),
  );
  constant('kernel', normal([width, mels, stride + 1], 1.5 / Math.sqrt(mels * (stride + 1))));
  const attributes = { pads: [stride / 2, stride / 2], strides: [stride] };
  add('Conv', ['audio_signal', 'kernel'], ['convolved'], { attributes });
  add('Tanh', ['convolved'], ['outputs']);
  constant('one', [1]);
  constant('stride', [stride]);
  add('Sub', ['length', 'one'], ['before']);
  add('Div', ['before', 'stride'], ['strides']);
  add('Add', ['strides', 'one'], ['encoded_lengths']);
  graph.outputs.push(
    value('outputs', ['clips', width, 'steps']),
    value('encoded_lengths', ['clips'], 'int64'),
  );
  return graph;
}

function knownEncoder(mels: number, encoded: Float32Array): GraphBuilder {
  const graph = createGraphBuilder('encoder');
  const steps = encoded.length / width;
  graph.inputs.push(
    value('audio_signal', ['clips', mels, 'frames']),
    value('length', ['clips'], 'int64'),
  );
  graph.constant('encoded', { data: encoded, dims: [1, width, steps] });
  graph.constant('steps', [steps]);
  // An input that nothing reads would be left out.
  graph.add('Sub', ['audio_signal', 'audio_signal'], ['nothing']);
  graph.add('ReduceSum', ['nothing'], ['zero']);
  graph.add('Add', ['encoded', 'zero'], ['outputs']);
  graph.add('Sub', ['length', 'length'], ['none']);
  graph.add('Add', ['steps', 'none'], ['encoded_lengths']);
  graph.outputs.push(value('outputs', [1, width, steps]), value('encoded_lengths', [1], 'int64'));
  return graph;
}

/** Prediction network and joint network in one graph. @param tokens with the blank */
function decoder(tokens: number, normal: Normal): GraphBuilder {
  const graph = createGraphBuilder('decoder_joint-model');
  graph.inputs.push(value('encoder_outputs', ['clips', width, 'steps']));
  const { predicted, outputs } = predictionNetwork(graph, tokens, normal);
  jointNetwork(graph, predicted, tokens, normal);
  graph.outputs.push(value('outputs', ['clips', 'steps', 'count', tokens + durations]), ...outputs);
  return graph;
}

function predictor(tokens: number, normal: Normal): GraphBuilder {
  const graph = createGraphBuilder('decoder');
  const { predicted, outputs } = predictionNetwork(graph, tokens, normal);
  graph.add('Transpose', [predicted], ['predicted'], { attributes: { perm: [1, 2, 0] } });
  graph.outputs.push(value('predicted', ['clips', stateSize, 'count']), ...outputs);
  return graph;
}

function joiner(tokens: number, normal: Normal): GraphBuilder {
  const graph = createGraphBuilder('joiner');
  graph.inputs.push(
    value('encoder_outputs', ['clips', width, 'steps']),
    value('predicted', ['clips', stateSize, 'count']),
  );
  const attributes = { perm: [2, 0, 1] };
  const predicted = graph.add('Transpose', ['predicted'], ['counted'], { attributes });
  jointNetwork(graph, predicted, tokens, normal);
  graph.outputs.push(value('outputs', ['clips', 'steps', 'count', tokens + durations]));
  return graph;
}

/** Two LSTM layers. @returns the name of what they predict, [count, clips, size] */
function predictionNetwork(graph: GraphBuilder, tokens: number, normal: Normal) {
  const { add, constant } = graph;
  const states = ['input_states_1', 'input_states_2'];
  graph.inputs.push(
    ...[value('targets', ['clips', 'count'], 'int32'), value('target_length', ['clips'], 'int32')],
    ...states.map((name) => value(name, [2, 'clips', stateSize])),
  );
  constant('embeddings', normal([tokens, stateSize], 1));
  add('Gather', ['embeddings', 'targets'], ['embedded']);
  const swapped = { attributes: { perm: [1, 0, 2] } };
  let x = add('Transpose', ['embedded'], ['layer_0'], swapped);
  constant('second_axis', [1]);
  for (const layer of [0, 1]) {
    const name = (part: string): string => `${part}_${layer}`;
    constant(name('w'), normal([1, 4 * stateSize, stateSize], 1.5 / Math.sqrt(stateSize)));
    constant(name('r'), normal([1, 4 * stateSize, stateSize], 1.5 / Math.sqrt(stateSize)));
    constant(name('from'), [layer]);
    constant(name('to'), [layer + 1]);
    constant(name('axis'), [0]);
    const given = states.map((state, i) =>
      add('Slice', [state, name('from'), name('to'), name('axis')], [name(`state${i}`)]),
    );
    const outputs = [name('y'), name('h'), name('c')];
    const inputs = [x, name('w'), name('r'), '', '', ...given];
    add('LSTM', inputs, outputs, { attributes: { hidden_size: stateSize } });
    x = add('Squeeze', [name('y'), 'second_axis'], [`layer_${layer + 1}`]);
  }
  add('Concat', ['h_0', 'h_1'], ['output_states_1'], { attributes: { axis: 0 } });
  add('Concat', ['c_0', 'c_1'], ['output_states_2'], { attributes: { axis: 0 } });
  add('Identity', ['target_length'], ['prednet_lengths']);
  const outputs = [
    value('prednet_lengths', ['clips'], 'int32'),
    ...['output_states_1', 'output_states_2'].map((name) => value(name, [2, 'clips', stateSize])),
  ];
  return { predicted: x, outputs };
}

function jointNetwork(graph: GraphBuilder, predicted: string, tokens: number, normal: Normal) {
  const { add, constant } = graph;
  constant('joint_heard', normal([width, joint], 1.5 / Math.sqrt(width)));
  constant('joint_written', normal([stateSize, joint], 1.5 / Math.sqrt(stateSize)));
  constant('joint_out', normal([joint, tokens + durations], 2 / Math.sqrt(joint)));
  constant('place_axis', [1]);
  constant('third_axis', [2]);
  add('Transpose', ['encoder_outputs'], ['heard'], { attributes: { perm: [0, 2, 1] } });
  add('MatMul', ['heard', 'joint_heard'], ['heard_joint']);
  add('Unsqueeze', ['heard_joint', 'third_axis'], ['heard_places']);
  add('Transpose', [predicted], ['written'], { attributes: { perm: [1, 0, 2] } });
  add('MatMul', ['written', 'joint_written'], ['written_joint']);
  add('Unsqueeze', ['written_joint', 'place_axis'], ['written_places']);
  add('Add', ['heard_places', 'written_places'], ['both']);
  add('Tanh', ['both'], ['bounded']);
  add('MatMul', ['bounded', 'joint_out'], ['scores']);
  // So that about a third of the frames are blank.
  const bias = new Float32Array(tokens + durations).fill(2.5, tokens - 1, tokens);
  constant('bias', { data: bias, dims: [tokens + durations] });
  add('Add', ['scores', 'bias'], ['outputs']);
}
