// Schemas for kubeconform, which would fetch them from the internet: those of a PyPI package and of
// KEDA's Go module, laid out as it looks for them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Resource } from './chart.ts';
import { brought } from './tools.ts';

interface CustomResourceDefinition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: object };
    }[];
  };
}

/**
 * Writes `<version>/<kind>-<group>-<version>.json` for each kind of the resources.
 * @returns the template of kubeconform's -schema-location
 */
export function layOutSchemas(
  folder: string,
  version: string,
  resources: readonly Resource[],
): string {
  const from = join(brought('SVC_KUBERNETES_SCHEMAS'), `v${version}-local-strict`);
  const to = join(folder, version);
  mkdirSync(to, { recursive: true });
  copySchema(from, to, '_definitions.json');
  for (const name of new Set(resources.map(fileOf))) {
    if (name.startsWith('scaledobject-')) writeFileSync(join(to, name), scaledObjectSchema());
    else copySchema(from, to, name);
  }
  return join(to, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

/** As kubeconform names it: of the group only what stands before its first dot. */
function fileOf({ apiVersion, kind }: Resource): string {
  const parts = apiVersion.split('/');
  const suffix = parts.length === 1 ? parts : [parts[0]!.split('.')[0]!, parts[1]!];
  return `${[kind.toLowerCase(), ...suffix].join('-')}.json`;
}

/** Its references name an address on the internet; the definitions lie beside it here. */
function copySchema(from: string, to: string, name: string): void {
  const text = readFileSync(join(from, name), 'utf8')
    .replaceAll('"/api/_definitions.json', '"_definitions.json')
    .replace(/,?\s*"\$id": "[^"]*"/, '');
  writeFileSync(join(to, name), text);
}

function scaledObjectSchema(): string {
  const path = join(brought('SVC_KEDA_MODULE'), 'config/crd/bases/keda.sh_scaledobjects.yaml');
  const documents = parseAllDocuments(readFileSync(path, 'utf8'));
  const { spec } = documents[0]!.toJS() as CustomResourceDefinition;
  const version = spec.versions.find(({ name }) => name === 'v1alpha1')!;
  return JSON.stringify(refuseUnknown(version.schema.openAPIV3Schema));
}

/** A server prunes what it does not know without a word; here it is an error. */
function refuseUnknown(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(refuseUnknown);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [name, refuseUnknown(value)]);
  const strict = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(entries), ...(strict && { additionalProperties: false }) };
}
