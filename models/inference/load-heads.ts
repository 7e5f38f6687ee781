// The heads over the encoder's layers, loaded from the bundles of the catalog.
import type { ModelParts } from '../contract/catalog-row.ts';
import { models } from '../contract/served-models.ts';
import { loadPooledHead } from '../affect/head.ts';
import { loadAffectReader, loadSyntheticReader, type SegmentReader } from '../affect/reader.ts';
import { loadSoundClasses } from '../affect/sound-classes.ts';
import { createSpeechCheck, type SpeechCheck } from '../affect/speech-check.ts';
import { loadSynthesisTraces, type SynthesisTraces } from '../affect/synthesis-traces.ts';
import type { ModelStore } from '../bundles/store.ts';
import { openScoped } from '../onnx/session-scope.ts';
import { modelIdleMs, onDemand } from './on-demand.ts';

export async function loadSpeechCheck(
  store: ModelStore,
  parts: Pick<ModelParts, 'speechCheck' | 'soundClasses'>,
): Promise<SpeechCheck> {
  const { directory, manifest } = store.bundle(parts.speechCheck, 'speech-check');
  const classes = store.bundle(parts.soundClasses, 'sound-classes');
  return createSpeechCheck(
    await loadPooledHead(directory, { model: manifest.model, classes: 1 }),
    await loadSoundClasses(classes.directory, classes.manifest),
  );
}

/** By model id; models with the same head share one session. */
export async function loadHeads(
  store: ModelStore,
  speechCheck: SpeechCheck,
): Promise<ReadonlyMap<string, SegmentReader>> {
  const rows = new Map(models.map(({ parts }) => [parts.head, parts]));
  const loaded = new Map(
    await Promise.all(
      [...rows].map(async ([name, parts]) => {
        return [name, await loadHead(store, parts, speechCheck)] as const;
      }),
    ),
  );
  return new Map(models.map(({ id, parts }) => [id, loaded.get(parts.head)!]));
}

function loadHead(
  store: ModelStore,
  { head, voices }: ModelParts,
  speechCheck: SpeechCheck,
): Promise<SegmentReader> {
  if (voices !== undefined) {
    const { directory, manifest } = store.bundle(head, 'synthetic-head');
    const traces = tracesOf(store, voices);
    return loadSyntheticReader(directory, { model: manifest.model, traces });
  }
  const { directory, manifest } = store.bundle(head, 'affect-head');
  return loadAffectReader(directory, { model: manifest.model, speechCheck });
}

/** Loaded on demand: few recordings are checked. */
function tracesOf(store: ModelStore, voices: string): SynthesisTraces {
  const { directory, manifest } = store.bundle(voices, 'speaker-embedding');
  const load = () => loadSynthesisTraces(directory, manifest);
  const loaded = onDemand(() => openScoped(load), modelIdleMs);
  const { size } = manifest.traces;
  return { size, read: (...args) => loaded.use((traces) => traces.read(...args)) };
}
