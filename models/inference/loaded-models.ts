// Every model that an inference process holds, loaded from the bundles of the catalog.
import type { ModelParts } from '../contract/catalog-row.ts';
import { defaultModel, modelRow } from '../contract/served-models.ts';
import { join } from 'node:path';
import type { SegmentReader } from '../affect/reader.ts';
import type { SpeechCheck } from '../affect/speech-check.ts';
import { parseLetterRules } from '../alignment/letter-to-phone.ts';
import { loadLexicon } from '../alignment/lexicon.ts';
import { loadPhoneScorer, type PhoneScorer } from '../alignment/phone-scores.ts';
import { createPronouncer } from '../alignment/pronounce.ts';
import type { WordAlignerOptions } from '../alignment/word-aligner.ts';
import { loadEnglishHead, type EnglishHead } from '../asr/english-head.ts';
import { loadMoonshineEncoder, type SpeechEncoder } from '../asr/moonshine-encoder.ts';
import { loadMoonshineDecoder, type SpeechDecoder } from '../asr/moonshine.ts';
import { loadSpeakerEmbedder, type SpeakerEmbedder } from '../diarization/speaker-embedding.ts';
import { loadSpeakerCounter, type SpeakerCounter } from '../diarization/concurrent-speakers.ts';
import { checkAssignments, noAssignments } from '../bundles/assignments.ts';
import { defaultEnglishBundle } from '../bundles/english-bundles.ts';
import { readModelFile, type ModelStore } from '../bundles/store.ts';
import { openScoped } from '../onnx/session-scope.ts';
import { loadSilero, type VoiceActivityModel } from '../vad/silero.ts';
import type { ChunkRecognizer, SecondReader } from './chunk-recognizer.ts';
import { loadHeads, loadSpeechCheck } from './load-heads.ts';
import { modelIdleMs, onDemand } from './on-demand.ts';
import {
  assignedRecognizers,
  secondReaderOf,
  transcriberOf,
  type AssignedRecognizers,
} from './open-recognizers.ts';

export interface DiarizationModels {
  readonly speakerCounter: SpeakerCounter;
  readonly speakers: SpeakerEmbedder;
}

/** One bundle's encoder and decoder, and the heads that are fitted to them. */
export interface SpeechRecognizer {
  readonly encoder: SpeechEncoder;
  readonly decoder: SpeechDecoder;
  readonly phoneScorer: PhoneScorer;
  readonly wordAligner: WordAlignerOptions;
  /** Decides which chunks may be English. */
  readonly englishHead: EnglishHead;
}

/** The encoder of the heads and of known words. */
export interface FeatureModels {
  readonly encoder: SpeechEncoder;
  readonly phoneScorer: PhoneScorer;
}

export interface LoadedModels {
  readonly voiceActivity: VoiceActivityModel;
  /** Recognises English words, with their times. */
  readonly recognizer: SpeechRecognizer;
  /** Read by the heads, the speaker counter and the aligner of known words. */
  readonly features: FeatureModels;
  /** Classes of the phone scorers that are vowels. */
  readonly vowels: ReadonlySet<number>;
  /** Loaded on demand; null when its files are missing: everything else still works. */
  readonly diarization: DiarizationModels | null;
  /** Recognises several languages; loaded on demand, and null when its files are missing. */
  readonly transcriber: ChunkRecognizer | null;
  /** Gives second opinions; loaded on demand, and null when its files are missing. */
  readonly secondReader: SecondReader | null;
  /** By public model id: what an operator has put in the place of the models' own recognisers. */
  readonly assigned: ReadonlyMap<string, AssignedRecognizers>;
  /** Tells speech from other sounds. */
  readonly speechCheck: SpeechCheck;
  /** By public model id. */
  readonly heads: ReadonlyMap<string, SegmentReader>;
}

/**
 * Every model of the family uses the parts of the default model; only the affect heads differ, and
 * what is assigned.
 * @param recognition the bundle that recognises English
 * @throws AssignmentError, ModelLoadingError
 */
export async function loadModels(
  store: ModelStore,
  recognition = defaultEnglishBundle,
  assignments = noAssignments,
): Promise<LoadedModels> {
  checkAssignments(assignments, store.manifests);
  const parts = { ...modelRow(defaultModel).parts, recognition };
  const silero = store.bundle(parts.voiceActivity, 'silero-vad');
  const { phones } = store.bundle(parts.alignment, 'phone-aligner').manifest;
  const reading = loadFeatures(store, parts);
  const checking = loadSpeechCheck(store, parts);
  const [voiceActivity, features, recognizer, speechCheck, heads, present] = await Promise.all([
    loadSilero(silero.directory, silero.manifest),
    reading,
    loadRecognizer(store, parts, reading),
    checking,
    checking.then((loaded) => loadHeads(store, loaded)),
    presentBundles(store, recognition),
  ]);
  const vowels = vowelsOf(phones);
  const diarization = diarizationOf(store, parts.diarization, present);
  const opening = { store, voiceActivity };
  const transcriber = transcriberOf(opening, present);
  const secondReader = secondReaderOf(store, present);
  const assigned = assignedRecognizers(opening, assignments, transcriber);
  return {
    ...{ voiceActivity, recognizer, features, vowels, diarization },
    ...{ transcriber, secondReader, assigned, speechCheck, heads },
  };
}

async function loadFeatures(
  store: ModelStore,
  parts: Pick<ModelParts, 'features' | 'alignment'>,
): Promise<FeatureModels> {
  const { directory, manifest } = store.bundle(parts.features, 'moonshine');
  const aligner = store.bundle(parts.alignment, 'phone-aligner');
  const [encoder, phoneScorer] = await Promise.all([
    loadMoonshineEncoder(directory, manifest),
    loadPhoneScorer(aligner.directory, aligner.manifest),
  ]);
  return { encoder, phoneScorer };
}

/** @param features the sessions of the bundle `parts.features`, which serve both where it is one */
async function loadRecognizer(
  store: ModelStore,
  parts: Pick<ModelParts, 'recognition' | 'features' | 'lexicon'>,
  features: Promise<FeatureModels>,
): Promise<SpeechRecognizer> {
  const { recognition, lexicon } = parts;
  const { directory, manifest } = store.bundle(recognition, 'moonshine');
  const head = store.bundle(manifest.englishHead, 'english-head');
  const names = { features: recognition, alignment: manifest.aligner };
  const reading = recognition === parts.features ? features : loadFeatures(store, names);
  const [{ encoder, phoneScorer }, decoder, wordAligner, englishHead] = await Promise.all([
    reading,
    loadMoonshineDecoder(directory, manifest),
    loadWordAligner(store, { alignment: manifest.aligner, lexicon }),
    loadEnglishHead(head.directory, head.manifest),
  ]);
  return { encoder, decoder, phoneScorer, wordAligner, englishHead };
}

function vowelsOf(phones: readonly string[]): ReadonlySet<number> {
  return new Set(phones.flatMap((phone, i) => (/^[AEIOU]/.test(phone) ? [i] : [])));
}

/** Names of the bundles whose files are all there. */
async function presentBundles(store: ModelStore, english: string): Promise<ReadonlySet<string>> {
  const statuses = await store.verify({ hash: false, english, assignments: noAssignments });
  return new Set(statuses.flatMap(({ name, problem }) => (problem === null ? [name] : [])));
}

function diarizationOf(
  store: ModelStore,
  names: ModelParts['diarization'],
  present: ReadonlySet<string>,
): DiarizationModels | null {
  if (!names || !present.has(names.speakers) || !present.has(names.speakerCount)) return null;
  const embedding = store.bundle(names.speakers, 'speaker-embedding');
  const counter = store.bundle(names.speakerCount, 'speaker-count');
  const load = async (): Promise<DiarizationModels> => {
    const [speakers, speakerCounter] = await Promise.all([
      loadSpeakerEmbedder(embedding.directory, embedding.manifest),
      loadSpeakerCounter(counter.directory, counter.manifest),
    ]);
    return { speakers, speakerCounter };
  };
  const loaded = onDemand(() => openScoped(load), modelIdleMs);
  return {
    speakers: { embed: (...args) => loaded.use(({ speakers }) => speakers.embed(...args)) },
    speakerCounter: {
      count: (...args) => loaded.use(({ speakerCounter }) => speakerCounter.count(...args)),
    },
  };
}

async function loadWordAligner(
  store: ModelStore,
  parts: { readonly alignment: string; readonly lexicon: string },
): Promise<WordAlignerOptions> {
  const { directory, manifest } = store.bundle(parts.alignment, 'phone-aligner');
  const { phones, letterRules, confidence } = manifest;
  const dictionary = store.bundle(parts.lexicon, 'lexicon');
  const [lexicon, rules] = await Promise.all([
    loadLexicon(dictionary.directory, dictionary.manifest, phones),
    readModelFile(join(directory, letterRules)),
  ]);
  const letters = parseLetterRules(Buffer.from(rules).toString());
  return { pronouncer: createPronouncer(lexicon, letters, phones), confidence };
}
