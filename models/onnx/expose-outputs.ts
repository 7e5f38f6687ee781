// Adds outputs to an ORT-format model (a flatbuffer) without rebuilding it.
import { fieldOf, withStrings } from './flatbuffer.ts';
import { graphFields, graphOf, stringsOf } from './ort-model.ts';

/**
 * Returns a copy of the model with values inside its graph as additional outputs, as
 * training/ort_outputs.py does.
 * @param names value names of the graph
 */
export function exposeOutputs(model: Uint8Array, names: readonly string[]): Uint8Array {
  const source = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const graph = graphOf(source);
  const outputs = [...stringsOf(source, graph, graphFields.outputs), ...names];
  return withStrings(source, fieldOf(source, graph, graphFields.outputs), outputs);
}
