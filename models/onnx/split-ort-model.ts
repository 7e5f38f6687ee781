// Splits an ORT-format model into parts that run in sequence (stages.ts). The nodes stay as they
// are, and so do the results.
import {
  elements,
  fieldOf,
  findField,
  follow,
  keepElements,
  keepStructs,
  numberOf,
  readString,
  withStrings,
} from './flatbuffer.ts';
import {
  edgeFields,
  graphFields,
  graphOf,
  nodeFields,
  nodesOf,
  stringsOf,
  tensorFields,
  type OrtNode,
} from './ort-model.ts';

/** Node, output and input of an edge. */
const edgeBytes = 12;

/**
 * @param cuts names of values, in order: each part computes what its cut needs and no earlier part
 * has computed; the last part computes the rest
 */
export function splitOrtModel(model: Uint8Array, cuts: readonly string[]): readonly Uint8Array[] {
  const source = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const graph = graphOf(source);
  const inputs = stringsOf(source, graph, graphFields.inputs);
  const outputs = stringsOf(source, graph, graphFields.outputs);
  const parts = divide(nodesOf(source), cuts);
  return parts.map((nodes, i) => {
    const made = outputsOf(nodes);
    const read = new Set(nodes.flatMap((node) => node.inputs));
    const before = outputsOf(parts.slice(0, i).flat());
    const after = new Set(parts.slice(i + 1).flatMap((part) => part.flatMap((n) => n.inputs)));
    return extract(source, {
      nodes: new Set(nodes.map(({ index }) => index)),
      values: read,
      inputs: [...inputs.filter((name) => read.has(name)), ...intersect(before, read)],
      outputs: [
        ...new Set([...outputs.filter((name) => made.has(name)), ...intersect(made, after)]),
      ],
    });
  });
}

function divide(nodes: readonly OrtNode[], cuts: readonly string[]): readonly OrtNode[][] {
  const producers = new Map(
    nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)),
  );
  const done = new Set<OrtNode>();
  const collectFor = (name: string, part: OrtNode[]): void => {
    const node = producers.get(name);
    if (!node || done.has(node)) return;
    done.add(node);
    for (const input of node.inputs) collectFor(input, part);
    part.push(node);
  };
  const parts = cuts.map((cut) => {
    if (!producers.has(cut)) throw new Error(`no node of the model makes ${cut}`);
    const part: OrtNode[] = [];
    collectFor(cut, part);
    return part;
  });
  return [...parts, nodes.filter((node) => !done.has(node))];
}

interface Part {
  /** Indices of its nodes. */
  readonly nodes: ReadonlySet<number>;
  /** What its nodes read. */
  readonly values: ReadonlySet<string>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

function extract(source: Buffer, { nodes, values, inputs, outputs }: Part): Uint8Array {
  const copy = Buffer.from(source);
  const graph = graphOf(copy);
  const field = (number: number): number | null => findField(copy, graph, number);
  keepElements(copy, field(graphFields.initializers), (tensor) =>
    values.has(readString(copy, follow(copy, fieldOf(copy, tensor, tensorFields.name)))),
  );
  keepElements(copy, field(graphFields.nodes), (node) =>
    nodes.has(numberOf(copy, node, nodeFields.index)),
  );
  keepElements(copy, field(graphFields.nodeEdges), (edge) =>
    nodes.has(numberOf(copy, edge, edgeFields.node)),
  );
  for (const edge of elements(copy, graph, graphFields.nodeEdges)) {
    for (const ends of [edgeFields.inputs, edgeFields.outputs]) {
      const keeps = (struct: number): boolean => nodes.has(copy.readUInt32LE(struct));
      keepStructs(copy, findField(copy, edge, ends), { bytes: edgeBytes, keeps });
    }
  }
  const withInputs = withStrings(copy, fieldOf(copy, graph, graphFields.inputs), inputs);
  return withStrings(withInputs, fieldOf(withInputs, graph, graphFields.outputs), outputs);
}

function outputsOf(nodes: readonly OrtNode[]): ReadonlySet<string> {
  return new Set(nodes.flatMap((node) => node.outputs));
}

function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] {
  return [...a].filter((name) => b.has(name));
}
