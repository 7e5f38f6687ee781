// Recognisers of whole chunks by the names of their bundles, each loaded when it is first used.
import { loadNemoTdt } from '../asr/nemo/recognizer.ts';
import { loadWhisper } from '../asr/whisper/recognizer.ts';
import type { AssignablePart, Assignments } from '../bundles/assignments.ts';
import { findManifest, ModelLoadingError } from '../bundles/manifests.ts';
import type { ModelStore } from '../bundles/store.ts';
import { models } from '../contract/served-models.ts';
import { openScoped } from '../onnx/session-scope.ts';
import type { VoiceActivityModel } from '../vad/silero.ts';
import {
  timedByAttention,
  timedByDurations,
  type ChunkRecognizer,
  type SecondReader,
} from './chunk-recognizer.ts';
import { withLeftOutSpeech } from './left-out-speech.ts';
import { modelIdleMs, onDemand } from './on-demand.ts';

/** What recognisers are opened from and with. */
export interface Opening {
  readonly store: ModelStore;
  /** Shows what a text lacks. */
  readonly voiceActivity: VoiceActivityModel;
}

/** What an operator has put in the place of a model's own recognisers. */
export type AssignedRecognizers = Readonly<Partial<Record<AssignablePart, ChunkRecognizer>>>;

/** Recognises several languages; null when its files are missing. */
export function transcriberOf(
  opening: Opening,
  present: ReadonlySet<string>,
): ChunkRecognizer | null {
  const name = models.find(({ parts }) => parts.transcription)?.parts.transcription;
  return name === undefined || !present.has(name) ? null : openRecognizer(opening, name);
}

/** Gives second opinions on English words; null when its files are missing. */
export function secondReaderOf(
  store: ModelStore,
  present: ReadonlySet<string>,
): SecondReader | null {
  const name = models.map(({ parts }) => parts.secondOpinion).find((each) => each !== undefined);
  if (name === undefined || !present.has(name)) return null;
  const { manifest, whisper } = openWhisper(store, name);
  const { alignedConfidence: confidence } = manifest;
  if (!confidence) throw new ModelLoadingError(`${name} has no confidence of aligned words`);
  return { confidence, spell: (chunks) => whisper.use((loaded) => loaded.spell(chunks)) };
}

/** @param detector detects the language for a bundle that cannot */
function openRecognizer(
  { store, voiceActivity }: Opening,
  name: string,
  detector: ChunkRecognizer | null = null,
): ChunkRecognizer {
  if (findManifest(name, store.manifests).family === 'nemo-tdt') {
    const { directory, manifest } = store.bundle(name, 'nemo-tdt');
    const nemo = onDemand(() => openScoped(() => loadNemoTdt(directory, manifest)), modelIdleMs);
    const { languages } = manifest;
    return timedByDurations({ use: (work) => nemo.use(work) }, { languages, detector });
  }
  const { manifest, whisper } = openWhisper(store, name);
  const timed = timedByAttention({
    confidence: manifest.confidence,
    recognise: (...args) => whisper.use((loaded) => loaded.recognise(...args)),
  });
  return withLeftOutSpeech(timed, voiceActivity);
}

function openWhisper(store: ModelStore, name: string) {
  const { directory, manifest } = store.bundle(name, 'whisper');
  const whisper = onDemand(() => openScoped(() => loadWhisper(directory, manifest)), modelIdleMs);
  return { manifest, whisper };
}

/** By public model id; a bundle is opened once for all models. */
export function assignedRecognizers(
  opening: Opening,
  assignments: Assignments,
  detector: ChunkRecognizer | null,
): ReadonlyMap<string, AssignedRecognizers> {
  const opened = new Map<string, ChunkRecognizer>();
  const open = (name: string): ChunkRecognizer => {
    const recognizer = opened.get(name) ?? openRecognizer(opening, name, detector);
    opened.set(name, recognizer);
    return recognizer;
  };
  return new Map(
    [...assignments].map(([id, parts]) => {
      const own = Object.entries(parts).map(([part, name]) => [part, open(name)]);
      return [id, Object.fromEntries(own) as AssignedRecognizers];
    }),
  );
}
