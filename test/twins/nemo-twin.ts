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
  const random = createRandom(seed);
  const normal = (dims: readonly number[], deviation: number) => ({
    data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => {
      return deviation * (2 * (random() + random() + random()) - 3);
    }),
    dims,
  });
  mkdirSync(folder, { recursive: true });
  const graphs = [encoder(mels, normal), decoder(pieces + 1, normal)];
  for (const graph of graphs) {
    for (const [name, model] of graph.build().models) writeFileSync(join(folder, name), model);
  }
  const mark = '\u2581';
  const names = Array.from({ length: pieces }, (_, i) => `${i % 3 === 0 ? mark : ''}p${i}`);
  const lines = [...names, '<blk>'].map((name, id) => `${name} ${id}\n`);
  writeFileSync(join(folder, 'vocab.txt'), lines.join(''));
  const config = {
    model_type: 'nemo-conformer-tdt',
    features_size: mels,
    subsampling_factor: stride,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
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

/** Prediction network of two LSTM layers, and the joint network. @param tokens with the blank */
function decoder(tokens: number, normal: Normal): GraphBuilder {
  const graph = createGraphBuilder('decoder_joint-model');
  const { add, constant } = graph;
  const states = ['input_states_1', 'input_states_2'];
  graph.inputs.push(
    value('encoder_outputs', ['clips', width, 'steps']),
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
  jointNetwork(graph, x, tokens, normal);
  add('Identity', ['target_length'], ['prednet_lengths']);
  graph.outputs.push(
    value('outputs', ['clips', 'steps', 'count', tokens + durations]),
    value('prednet_lengths', ['clips'], 'int32'),
    ...['output_states_1', 'output_states_2'].map((name) => value(name, [2, 'clips', stateSize])),
  );
  return graph;
}

function jointNetwork(graph: GraphBuilder, predicted: string, tokens: number, normal: Normal) {
  const { add, constant } = graph;
  constant('joint_heard', normal([width, joint], 1.5 / Math.sqrt(width)));
  constant('joint_written', normal([stateSize, joint], 1.5 / Math.sqrt(stateSize)));
  constant('joint_out', normal([joint, tokens + durations], 2 / Math.sqrt(joint)));
  constant('third_axis', [2]);
  add('Transpose', ['encoder_outputs'], ['heard'], { attributes: { perm: [0, 2, 1] } });
  add('MatMul', ['heard', 'joint_heard'], ['heard_joint']);
  add('Unsqueeze', ['heard_joint', 'third_axis'], ['heard_places']);
  add('Transpose', [predicted], ['written'], { attributes: { perm: [1, 0, 2] } });
  add('MatMul', ['written', 'joint_written'], ['written_joint']);
  add('Unsqueeze', ['written_joint', 'second_axis'], ['written_places']);
  add('Add', ['heard_places', 'written_places'], ['both']);
  add('Tanh', ['both'], ['bounded']);
  add('MatMul', ['bounded', 'joint_out'], ['scores']);
  // So that about a third of the frames are blank.
  const bias = new Float32Array(tokens + durations).fill(2.5, tokens - 1, tokens);
  constant('bias', { data: bias, dims: [tokens + durations] });
  add('Add', ['scores', 'bias'], ['outputs']);
}
