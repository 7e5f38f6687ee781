// What the bundles of a public model state: for callers of the API, and about its labels.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { CatalogModel } from '../contract/catalog-row.ts';
import type { ModelId } from '../contract/catalog.ts';
import { modelRow } from '../contract/served-models.ts';
import { assignedRow, languagesOfBundle, type Assignments } from './assignments.ts';
import { type AffectHeadManifest, type Manifest } from './manifest.ts';
import {
  calibrationSchema,
  proficiencyCalibrationSchema,
  type Calibration,
} from './calibration.ts';
import { findManifest, manifestOf, weightsFolder } from './manifests.ts';

export interface PublicBundle {
  readonly name: string;
  readonly revision: string;
  readonly license: string;
}

/** The bundle shown for a model: its head where it consists of one only, else its recogniser. */
export function publicBundle(
  { id }: { readonly id: ModelId },
  { english, assignments, manifests }: BundlesInUse,
): PublicBundle {
  const model = assignedRow(id, assignments);
  const { parts } = model;
  if (model.window) {
    const { name, license } = findManifest(parts.head);
    return { name, revision: headRevision(model), license };
  }
  const recognition = assignments.get(id)?.recognition ?? english;
  const bundle = parts.transcription ?? recognition;
  const { name, revision, license } = findManifest(bundle, manifests);
  return { name, revision, license };
}

/** What an installation uses. */
export interface BundlesInUse {
  /** The bundle that recognises English where none is assigned. */
  readonly english: string;
  readonly assignments: Assignments;
  /** Of the repository, and of what is installed besides. */
  readonly manifests: readonly Manifest[];
}

/**
 * The models whose recordings may be recognised by a bundle that takes no vocabulary: a
 * transducer's probabilities of a whole text are not computed.
 */
export function modelsWithoutVocabulary({
  assignments,
  manifests,
}: BundlesInUse): ReadonlySet<ModelId> {
  const isTransducer = (name: string): boolean =>
    findManifest(name, manifests).family === 'nemo-tdt';
  const without = [...assignments].filter(([, parts]) => Object.values(parts).some(isTransducer));
  return new Set(without.map(([id]) => id));
}

/**
 * ISO 639-1 codes of the languages that a model accepts: those of its recognisers.
 * @param model with the bundles in use
 */
export function languagesOf(
  model: CatalogModel,
  manifests?: readonly Manifest[],
): readonly string[] {
  const { otherLanguages } = model.parts;
  const languages = (name: string) => languagesOfBundle(findManifest(name, manifests));
  const others = otherLanguages ? languages(otherLanguages) : [];
  return [...new Set([...languages(transcriberOf(model)), ...others])];
}

/** The head whose thresholds select a model's labels; null if it has none. */
export function thresholdsOf(model: ModelId): AffectHeadManifest | null {
  const manifest = findManifest(modelRow(model).parts.head);
  return manifest.family === 'affect-head' ? manifest : null;
}

/** sha256 of the file of a model's head, in hex. */
export function headRevision({ parts }: CatalogModel): string {
  return findManifest(parts.head).files[0]!.sha256;
}

/** The calibration of a model's labels with the sha256 of its file. */
export function labelCalibration(model: CatalogModel): {
  readonly revision: string;
  readonly content: Calibration;
} {
  return readCalibration(model, calibrationSchema);
}

/** The files behind a proficiency result: the calibration, and the hashes of all of them. */
export function proficiencyFiles(model: CatalogModel) {
  const { parts } = model;
  const features = manifestOf(parts.features, 'moonshine');
  const alignment = manifestOf(parts.alignment, 'phone-aligner');
  const lexicon = manifestOf(parts.lexicon, 'lexicon');
  const { revision, content } = readCalibration(model, proficiencyCalibrationSchema);
  return {
    calibration: content,
    hashes: {
      encoder_sha256: hashOf(features.files, features.encoder.weights),
      alignment_checkpoint_sha256: hashOf(alignment.files, alignment.model),
      phone_lexicon_sha256: hashOf(lexicon.files, lexicon.dictionary),
      word_checkpoint_sha256: [revision],
    },
  };
}

type Files = readonly { readonly name: string; readonly sha256: string }[];

function hashOf(files: Files, name: string): string | null {
  return files.find((file) => file.name === name)?.sha256 ?? null;
}

function transcriberOf({ parts }: CatalogModel): string {
  return parts.transcription ?? parts.recognition;
}

const calibrations = new Map<string, unknown>();

/** Read once: a calibration is a few kilobytes of the tree. */
function readCalibration<S extends z.ZodType>(
  { id, parts }: CatalogModel,
  schema: S,
): { readonly revision: string; readonly content: z.output<S> } {
  const { name, files, calibration } = manifestOf(
    parts.calibration ?? `the calibration of ${id}`,
    'calibration',
  );
  const known = calibrations.get(name);
  const text = () => readFileSync(join(weightsFolder, calibration), 'utf8');
  const content = (known as z.output<S> | undefined) ?? schema.parse(JSON.parse(text()));
  calibrations.set(name, content);
  return { revision: files[0]!.sha256, content };
}
