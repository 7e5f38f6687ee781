// The structure of an ORT-format model: its graph as onnxruntime's ort.fbs lays it out.
import { elements, fieldOf, follow, numberOf, readString } from './flatbuffer.ts';

// Field numbers of the tables in ort.fbs.
const sessionModel = 1;
const modelGraph = 7;
export const graphFields = {
  initializers: 0,
  nodeArguments: 1,
  nodes: 2,
  nodeEdges: 4,
  inputs: 5,
  outputs: 6,
} as const;
export const nodeFields = {
  index: 4,
  operator: 5,
  inputs: 8,
  outputs: 9,
  implicitInputs: 12,
} as const;
export const edgeFields = { node: 0, inputs: 1, outputs: 2 } as const;
export const tensorFields = { name: 0, dataType: 3, rawData: 4 } as const;

/** Position of the graph. */
export function graphOf(data: Buffer): number {
  const modelTable = follow(data, fieldOf(data, follow(data, 0), sessionModel));
  return follow(data, fieldOf(data, modelTable, modelGraph));
}

export function stringsOf(data: Buffer, table: number, field: number): readonly string[] {
  return elements(data, table, field).map((text) => readString(data, text));
}

/** The name of a node's operator. */
export function nodeOperator(data: Buffer, node: number): string {
  return readString(data, follow(data, fieldOf(data, node, nodeFields.operator)));
}

export interface OrtNode {
  /** Position of its table. */
  readonly table: number;
  readonly index: number;
  /** Its inputs by position; '' where one is absent. */
  readonly slots: readonly string[];
  /** Names of all its inputs, those of its subgraphs included. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** In topological order. */
export function nodesOf(data: Buffer): readonly OrtNode[] {
  const nodes = elements(data, graphOf(data), graphFields.nodes).map((table) => ({
    table,
    index: numberOf(data, table, nodeFields.index),
    slots: stringsOf(data, table, nodeFields.inputs),
    inputs: [
      ...stringsOf(data, table, nodeFields.inputs),
      ...stringsOf(data, table, nodeFields.implicitInputs),
    ].filter((name) => name !== ''),
    outputs: stringsOf(data, table, nodeFields.outputs).filter((name) => name !== ''),
  }));
  return inOrder(nodes);
}

function inOrder(nodes: readonly OrtNode[]): readonly OrtNode[] {
  const producers = new Map(
    nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)),
  );
  const ordered = new Set<OrtNode>();
  const visit = (node: OrtNode): void => {
    if (ordered.has(node)) return;
    for (const name of node.inputs) {
      const producer = producers.get(name);
      if (producer) visit(producer);
    }
    ordered.add(node);
  };
  for (const node of nodes) visit(node);
  return [...ordered];
}
