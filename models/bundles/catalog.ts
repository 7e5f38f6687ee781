// Which bundle stands behind a public model, for the API: pure data from the manifests.
import assignments from './assignments.json' with { type: 'json' };
import cmudict from './manifests/cmudict.json' with { type: 'json' };
import phoneAligner from './manifests/phone-aligner.json' with { type: 'json' };
import proficiencyBundle from './manifests/proficiency-calibration.json' with { type: 'json' };
import proficiencyCalibration from '../weights/proficiency-calibration.json' with { type: 'json' };
import affectFourier from './manifests/affect-fourier.json' with { type: 'json' };
import affectResonance from './manifests/affect-resonance.json' with { type: 'json' };
import resonance2Bundle from './manifests/resonance-2-calibration.json' with { type: 'json' };
import resonance2Calibration from '../weights/resonance-2-calibration.json' with { type: 'json' };
import type { Calibration } from './manifest.ts';
import syntheticHead from './manifests/synthetic-head.json' with { type: 'json' };
import moonshineTinyEn from './manifests/moonshine-tiny-en.json' with { type: 'json' };
import whisperBase from './manifests/whisper-base.json' with { type: 'json' };

export interface PublicBundle {
  readonly name: string;
  readonly revision: string;
  readonly license: string;
}

const affectBundles = [affectResonance, affectFourier];

const recognitionBundles: readonly PublicBundle[] = [moonshineTinyEn, whisperBase];

/** Models that are a head and nothing else: their file's whole sha256 is their revision. */
const headOnly: readonly string[] = ['svc-resonance-2', 'svczero'];

/** The bundle that stands behind a model id, or null when none is assigned. */
export function publicBundle(modelId: string): PublicBundle | null {
  const head = headOnly.includes(modelId) ? headBundle(modelId) : undefined;
  if (head) {
    return { name: head.name, revision: headRevision(modelId), license: head.license };
  }
  const parts = partsOf(modelId);
  const writes = parts && 'transcription' in parts ? parts.transcription : parts?.recognition;
  const bundle = recognitionBundles.find(({ name }) => name === writes);
  if (!bundle) return null;
  const { name, revision, license } = bundle;
  return { name, revision, license };
}

/** Scores from which on a model selects an emotion, by label. */
export function emotionThresholds(modelId: string): Readonly<Record<string, number>> {
  const bundle = affectBundles.find(({ name }) => name === partsOf(modelId)?.head);
  return bundle?.emotionThresholds ?? {};
}

/** sha256 of the file of a model's head, in hex. */
export function headRevision(modelId: string): string {
  return headBundle(modelId)?.files[0]?.sha256 ?? '';
}

/** The calibration of Resonance-2 with the sha256 of its file. */
export function resonance2Calibrated(): {
  readonly revision: string;
  readonly content: Calibration;
} {
  const revision = resonance2Bundle.files[0]?.sha256 ?? '';
  return { revision, content: resonance2Calibration };
}

/** The files behind a proficiency result: the word calibration, and the hashes of all of them. */
export function proficiencyFiles() {
  const hashOf = (
    files: readonly { readonly name: string; readonly sha256: string }[],
    name: string,
  ) => files.find((file) => file.name === name)?.sha256 ?? null;
  return {
    calibration: proficiencyCalibration,
    hashes: {
      encoder_sha256: hashOf(moonshineTinyEn.files, moonshineTinyEn.encoder),
      alignment_checkpoint_sha256: hashOf(phoneAligner.files, phoneAligner.model),
      phone_lexicon_sha256: hashOf(cmudict.files, cmudict.dictionary),
      word_checkpoint_sha256: proficiencyBundle.files.map(({ sha256 }) => sha256),
    },
  };
}

function headBundle(modelId: string) {
  return [...affectBundles, syntheticHead].find(({ name }) => name === partsOf(modelId)?.head);
}

function partsOf(modelId: string) {
  return Object.entries(assignments).find(([id]) => id === modelId)?.[1];
}
