// The public models, one row each. Whatever differs between models is read from here:
// docs/adding.md.
import type { CatalogModel, ModelParts, Rates } from './catalog-row.ts';
import { selfDescribing } from './containers.ts';
import { emotionLabels, styleLabels } from './labels.ts';

/** Changes with every change of a rate below. */
export const pricingVersion = '2026-11-21';

/** 2^20 bytes, as contract.md reads MB and MiB. */
export const mebibyte = 1_048_576;

/** Retired ids are answered with 400 `model_retired`. */
export const retiredModelIds = ['svc-spectra-1', 'svc-resonance-1', 'resonance'] as const;

const affectLabels = { emotions: emotionLabels, styles: styleLabels };

const resonanceRates = {
  transcription: '0.0080',
  emotion: '0.0080',
  style: '0.0080',
  affect: '0.0100',
  analysis: '0.0120',
} as const satisfies Rates;

/** contract.md: the body may exceed the limit of the file by 64 KiB. */
const upTo = (bytes: number) => ({ maxFileBytes: bytes, maxBodyBytes: bytes + mebibyte / 16 });

const fileLimits = { ...upTo(30 * mebibyte), containers: selfDescribing };
const commonLimits = { minSeconds: 0.1, maxSeconds: 3600, ...fileLimits };
/** Limits of a transcript that comes with a recording, at four bytes per character. */
export const maxTranscriptCharacters = 20_000;
export const maxTranscriptBytes = 4 * maxTranscriptCharacters;

const speechParts = {
  recognition: 'moonshine-tiny-en',
  features: 'moonshine-tiny-en',
  voiceActivity: 'silero-vad',
  speechCheck: 'speech-check',
  soundClasses: 'sound-classes',
  alignment: 'phone-aligner',
  lexicon: 'cmudict',
} as const;
const resonanceParts = { ...speechParts, head: 'affect-resonance' } as const satisfies ModelParts;
const largerRecognizers = {
  secondOpinion: 'whisper-base-en',
  otherLanguages: 'whisper-base',
} as const;
const diarization = { speakers: 'campplus', speakerCount: 'speaker-count' } as const;

/** Every model id of interface.md; the first is the default. */
export const catalog = [
  {
    id: 'svc-resonance',
    lifecycle: 'stable',
    shape: 'common',
    tasks: ['transcription', 'emotion', 'style', 'affect', 'analysis', 'diarization'],
    labels: affectLabels,
    limits: commonLimits,
    parts: { ...resonanceParts, ...largerRecognizers, diarization },
    // Diarization is included in plan minutes.
    ratesPerMinuteUsd: { ...resonanceRates, diarization: '0.0000' },
  },
  {
    id: 'svc-fourier',
    lifecycle: 'stable',
    shape: 'common',
    tasks: ['transcription', 'emotion', 'style', 'affect', 'analysis'],
    labels: affectLabels,
    limits: commonLimits,
    parts: { ...speechParts, ...largerRecognizers, head: 'affect-fourier' },
    ratesPerMinuteUsd: resonanceRates,
  },
  {
    id: 'svc-svceet',
    lifecycle: 'preview',
    shape: 'lite',
    // The second and third rates belong to options of a transcription, which add to its price.
    tasks: ['transcription', 'emotion_detection', 'diarization'],
    labels: { emotions: emotionLabels, styles: [] },
    limits: {
      minSeconds: 0.1,
      maxSeconds: 60,
      maxFileBytes: 4 * mebibyte,
      maxBodyBytes: 4 * mebibyte,
      containers: selfDescribing,
    },
    parts: { ...resonanceParts, diarization },
    ratesPerMinuteUsd: {
      transcription: '0.00045',
      emotion_detection: '0.0080',
      diarization: '0.0040',
    },
  },
  {
    id: 'svc-spectra-2',
    lifecycle: 'stable',
    shape: 'spectra-2',
    tasks: ['transcription', 'analysis'],
    labels: affectLabels,
    limits: {
      minSeconds: 0.045,
      maxSeconds: 60,
      maxFileBytes: 4 * mebibyte,
      maxBodyBytes: 4 * mebibyte + mebibyte / 64,
      containers: ['wav', 'flac', 'pcm16', 'f32le'],
      mono16kHz: true,
    },
    // Text and all scores of the whole clip, for every task (interface.md).
    steps: { words: false, text: true, scores: true, emotions: false, styles: false },
    parts: { ...resonanceParts, transcription: 'whisper-base' },
    ratesPerMinuteUsd: { transcription: '0.0080', analysis: '0.0120' },
  },
  {
    id: 'svc-proficiency-1',
    lifecycle: 'stable',
    shape: 'proficiency',
    tasks: ['proficiency'],
    limits: {
      minSeconds: 5,
      maxSeconds: 600,
      ...fileLimits,
      maxBodyBytes: fileLimits.maxBodyBytes + maxTranscriptBytes,
    },
    parts: { ...resonanceParts, diarization, calibration: 'proficiency-calibration' },
    ratesPerMinuteUsd: { proficiency: '0.0120' },
  },
  {
    id: 'svc-resonance-2',
    aliases: ['resonance-2'],
    lifecycle: 'preview',
    shape: 'resonance-2',
    tasks: ['affect'],
    labels: affectLabels,
    limits: { minSeconds: 0.1, maxSeconds: 120, ...fileLimits },
    access: 'approval',
    window: { seconds: 20, minSeconds: 0, abstainsOnSilence: true },
    parts: { ...resonanceParts, calibration: 'resonance-2-calibration' },
    ratesPerMinuteUsd: { affect: resonanceRates.affect },
  },
  {
    id: 'svczero',
    lifecycle: 'preview',
    shape: 'synthetic-speech',
    tasks: ['synthetic_speech'],
    limits: {
      minSeconds: 1,
      maxSeconds: 60,
      ...upTo(12 * mebibyte),
      containers: ['wav', 'flac', 'ogg', 'mp3'],
    },
    access: 'paid-plan',
    // At most ten segments in 60 s, none of them empty: times have three decimals.
    window: { seconds: 6, minSeconds: 0.0005 },
    parts: { ...speechParts, head: 'synthetic-head', voices: diarization.speakers },
    // Included with a paid plan.
    ratesPerMinuteUsd: { synthetic_speech: '0.0000' },
  },
] as const satisfies readonly CatalogModel[];

type Row = (typeof catalog)[number];
export type ModelId = Row['id'];
/** Ids of the models of a shape. */
export type IdOfShape<S extends Row['shape']> = Extract<Row, { readonly shape: S }>['id'];
