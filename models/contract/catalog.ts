// The public models: ids, tasks, limits and reference rates. Catalog, pricing and usage read this
// table.
import { emotionLabels, styleLabels } from './labels.ts';
import type { RecordingTask } from './tasks.ts';
import whisperBase from '../bundles/manifests/whisper-base.json' with { type: 'json' };

/** Changes with every change of a rate below. */
export const pricingVersion = '2026-11-21';

/** Ids of the models that have shapes, streams and rules of their own. */
export const liteModel = 'svc-svceet';
export const spectraModel = 'svc-spectra-2';
export const proficiencyModel = 'svc-proficiency-1';

/** Models of the common shape, and of batches; the first is meant where none is named. */
export const commonModels = ['svc-resonance', 'svc-fourier'] as const;

/** 2^20 bytes, as contract.md reads MB and MiB. */
export const mebibyte = 1_048_576;

/** Retired ids are answered with 400 `model_retired`. */
export const retiredModelIds = ['svc-spectra-1', 'svc-resonance-1', 'resonance'] as const;

export type Lifecycle = 'stable' | 'preview';
/** Tasks of a recording, and what a request may add to one. */
export type TaskName = RecordingTask | 'emotion_detection' | 'diarization';

/** USD per audio minute by task, as decimal strings with four decimals or more (contract.md). */
export type Rates = Readonly<Partial<Record<TaskName, string>>>;

export interface CatalogModel {
  readonly id: string;
  readonly lifecycle: Lifecycle;
  readonly tasks: readonly TaskName[];
  readonly languages: readonly string[];
  readonly labels?: { readonly emotions: readonly string[]; readonly styles: readonly string[] };
  readonly limits: {
    readonly minSeconds: number;
    readonly maxSeconds: number;
    readonly maxFileBytes: number;
    /** Takes one channel at 16 kHz and nothing else. */
    readonly mono16kHz?: true;
  };
  readonly ratesPerMinuteUsd: Rates;
}

const affectLabels = { emotions: emotionLabels, styles: styleLabels };

const resonanceRates = {
  transcription: '0.0080',
  emotion: '0.0080',
  style: '0.0080',
  affect: '0.0100',
  analysis: '0.0120',
} as const satisfies Rates;

const fileLimits = { minSeconds: 0.1, maxSeconds: 3600, maxFileBytes: 30 * mebibyte };

/**
 * Every model id of interface.md. `GET /v1/models` adds `available` and the bundle from what is
 * really
 * loaded; a task whose endpoint is not built yet is not in `tasks`.
 */
export const catalog = [
  {
    id: 'svc-resonance',
    lifecycle: 'stable',
    tasks: ['transcription', 'emotion', 'style', 'affect', 'analysis', 'diarization'],
    languages: ['en'],
    labels: affectLabels,
    limits: fileLimits,
    // Its speakers are included in plan minutes.
    ratesPerMinuteUsd: { ...resonanceRates, diarization: '0.0000' },
  },
  {
    id: 'svc-fourier',
    lifecycle: 'stable',
    tasks: ['transcription', 'emotion', 'style', 'affect', 'analysis'],
    languages: ['en'],
    labels: affectLabels,
    limits: fileLimits,
    ratesPerMinuteUsd: resonanceRates,
  },
  {
    id: liteModel,
    lifecycle: 'preview',
    // The second and third are options of a transcription, and cost what they add.
    tasks: ['transcription', 'emotion_detection', 'diarization'],
    languages: ['en'],
    labels: { emotions: emotionLabels, styles: [] },
    limits: { minSeconds: 0.1, maxSeconds: 60, maxFileBytes: 4 * mebibyte },
    ratesPerMinuteUsd: {
      transcription: '0.00045',
      emotion_detection: '0.0080',
      diarization: '0.0040',
    },
  },
  {
    id: spectraModel,
    lifecycle: 'stable',
    tasks: ['transcription', 'analysis'],
    languages: whisperBase.languages,
    labels: affectLabels,
    limits: { minSeconds: 0.045, maxSeconds: 60, maxFileBytes: 4 * mebibyte, mono16kHz: true },
    ratesPerMinuteUsd: { transcription: '0.0080', analysis: '0.0120' },
  },
  {
    id: proficiencyModel,
    lifecycle: 'stable',
    tasks: ['proficiency'],
    languages: ['en'],
    limits: { minSeconds: 5, maxSeconds: 600, maxFileBytes: 30 * mebibyte },
    ratesPerMinuteUsd: { proficiency: '0.0120' },
  },
  {
    id: 'svc-resonance-2',
    lifecycle: 'preview',
    tasks: ['affect'],
    languages: ['en'],
    labels: affectLabels,
    limits: { minSeconds: 0.1, maxSeconds: 120, maxFileBytes: 30 * mebibyte },
    ratesPerMinuteUsd: { affect: resonanceRates.affect },
  },
  {
    id: 'svczero',
    lifecycle: 'preview',
    tasks: ['synthetic_speech'],
    languages: ['en'],
    limits: { minSeconds: 1, maxSeconds: 60, maxFileBytes: 12 * mebibyte },
    // Included with a paid plan.
    ratesPerMinuteUsd: { synthetic_speech: '0.0000' },
  },
] as const satisfies readonly CatalogModel[];

export type CatalogModelId = (typeof catalog)[number]['id'];

/** Limits of a model of the table. */
export function limitsOf(id: CatalogModelId): CatalogModel['limits'] {
  return catalog.find((model) => model.id === id)!.limits;
}

/** Every id that some endpoint takes. */
const knownModels: readonly string[] = [...catalog.map(({ id }) => id), 'resonance-2'];

/** Why a model id is not one of those that an endpoint serves, in the words of contract.md. */
export function modelRefusal(
  id: string,
  served: readonly string[],
): {
  readonly code: 'model_retired' | 'model_not_supported' | 'model_not_found';
  readonly message: string;
} {
  const allowed = `use ${served.join(' or ')}`;
  if ((retiredModelIds as readonly string[]).includes(id)) {
    return { code: 'model_retired', message: `The model ${id} is retired; ${allowed}.` };
  }
  if (knownModels.includes(id)) {
    const message = `The model ${id} is not served by this endpoint; ${allowed}.`;
    return { code: 'model_not_supported', message };
  }
  const message = `There is no model "${id.slice(0, 64)}"; ${allowed}.`;
  return { code: 'model_not_found', message };
}
