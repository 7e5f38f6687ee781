// Which bundles an operator has chosen for the parts of the public models.
import type { CatalogModel } from '../contract/catalog-row.ts';
import { modelRow, models } from '../contract/served-models.ts';
import type { ModelId } from '../contract/catalog.ts';
import type { Manifest } from './manifest.ts';

/** Parts of a model that other bundles can take over; the other parts are fitted to each other. */
const assignableParts = ['recognition', 'otherLanguages', 'transcription'] as const;
export type AssignablePart = (typeof assignableParts)[number];

/** Names of bundles, by model and part. */
export type Assignments = ReadonlyMap<ModelId, Readonly<Partial<Record<AssignablePart, string>>>>;

export const noAssignments: Assignments = new Map();

/** Why assignments cannot be used, in words for an operator. */
export class AssignmentError extends Error {
  override readonly name = 'AssignmentError';
}

/**
 * @param text `model.part=bundle`, separated by blanks or commas
 * @throws AssignmentError for another form, an unknown model, or a part that the model lacks
 */
export function parseAssignments(text: string): Assignments {
  const assignments = new Map<ModelId, Partial<Record<AssignablePart, string>>>();
  for (const entry of text.split(/[\s,]+/).filter((each) => each !== '')) {
    const [, id, part, bundle] = /^([^.=]+)\.([^.=]+)=([^.=]+)$/.exec(entry) ?? [];
    if (id === undefined || part === undefined || bundle === undefined) {
      throw new AssignmentError(`"${entry}" is not of the form model.part=bundle`);
    }
    const model = models.find((row) => row.id === id);
    if (!model) {
      const known = models.map((row) => row.id).join(', ');
      throw new AssignmentError(`there is no model ${id}; there are ${known}`);
    }
    const parts = partsOf(model);
    const known = parts.find((each) => each === part);
    if (!known) {
      const allowed = parts.length > 0 ? parts.join(', ') : 'none';
      throw new AssignmentError(`${id} has no part ${part} to assign; it has ${allowed}`);
    }
    const own = { ...assignments.get(model.id), [known]: bundle };
    assignments.set(model.id, own);
  }
  return assignments;
}

/** The parts of a model that its requests use and that can be assigned. */
function partsOf({ parts, tasks }: CatalogModel): readonly AssignablePart[] {
  // What transcribes whole clips stands in place of what recognises words.
  if (parts.transcription !== undefined) return ['transcription'];
  if (!tasks.includes('transcription')) return [];
  return parts.otherLanguages === undefined ? ['recognition'] : ['recognition', 'otherLanguages'];
}

/** @throws AssignmentError for a bundle that is not installed, or that cannot take over its part */
export function checkAssignments(assignments: Assignments, manifests: readonly Manifest[]): void {
  for (const [id, parts] of assignments) {
    for (const [part, name] of Object.entries(parts)) {
      const manifest = manifests.find((each) => each.name === name);
      const able = manifests.filter((each) => canTakeOver(each, part as AssignablePart));
      if (manifest && able.includes(manifest)) continue;
      const reason = manifest ? `cannot be the ${part} of ${id}` : 'is not installed';
      const names = able.map((each) => each.name).join(', ');
      throw new AssignmentError(
        `the bundle ${name} ${reason}; ${names === '' ? 'none can' : `${names} can`}` +
          (manifest ? '' : ` be the ${part} of ${id}; svc models pull NAME --from DIR adds one`),
      );
    }
  }
}

function canTakeOver(manifest: Manifest, part: AssignablePart): boolean {
  const languages = languagesOfBundle(manifest);
  if (manifest.family !== 'whisper' && manifest.family !== 'nemo-tdt') return false;
  return part === 'recognition' ? languages.includes('en') : languages.length > 1;
}

/** ISO 639-1 codes of what a recogniser knows; [] for what is none. */
export function languagesOfBundle(manifest: Manifest): readonly string[] {
  if (manifest.family === 'moonshine' || manifest.family === 'nemo-tdt') return manifest.languages;
  if (manifest.family !== 'whisper') return [];
  const languages = Object.keys(manifest.languageTokens);
  return languages.length > 0 ? languages : ['en'];
}

/** The model with the bundles in use. */
export function assignedRow(id: ModelId, assignments: Assignments): CatalogModel {
  const row = modelRow(id);
  return { ...row, parts: { ...row.parts, ...assignments.get(id) } };
}

export function assignedBundles(assignments: Assignments): readonly string[] {
  return [...assignments.values()].flatMap((parts) => Object.values(parts));
}

/** As the setting has them. */
export function formatAssignments(assignments: Assignments): string {
  return [...assignments]
    .flatMap(([id, parts]) =>
      Object.entries(parts).map(([part, bundle]) => `${id}.${part}=${bundle}`),
    )
    .join(' ');
}
