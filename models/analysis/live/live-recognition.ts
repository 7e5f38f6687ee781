// Recognises a recording while it arrives, for interim text: each attempt takes the newest samples,
// and waits while the inference processes have other work.
import type { Word } from '../../asr/transcript.ts';
import { sampleRate } from '../../audio/sample-rate.ts';
import type { SampleSpan } from '../../audio/samples.ts';
import type { InferencePool, JobOptions } from '../../inference/jobs.ts';
import { emptyTranscript, withHypothesis } from './live-transcript.ts';
import { nextWindow, noProgress, type GrowingRecording, type LiveWindow } from './next-window.ts';
import { initialPace, waitMs } from './pace.ts';

export interface LiveUpdate {
  /** Words that have become stable since the last update. */
  readonly stable: readonly Word[];
  /** The words after all stable ones; they replace those of the last update. */
  readonly tail: readonly Word[];
  /** Length of the recording in which these words were recognised. */
  readonly audioSeconds: number;
}

export interface LiveOptions {
  /** Waits for a turn among the live recordings of the process. @returns ends the turn */
  readonly acquireTurn: (
    organizationId: string,
    options: { readonly signal: AbortSignal },
  ) => Promise<() => void>;
  readonly onUpdate: (update: LiveUpdate) => void;
}

export interface LiveRecording {
  /** Samples that have arrived. */
  readonly length: () => number;
  readonly slice: (span: SampleSpan) => Int16Array;
  /** Finds the speech in all of them. */
  readonly scan: (
    job: JobOptions,
  ) => Promise<Pick<GrowingRecording, 'samples' | 'chunks' | 'speechEndSample'>>;
  /** Whether exactly this chunk is analysed for the final result. */
  readonly isAnalyzed: (chunk: SampleSpan) => boolean;
  /** The words of that analysis; null without one, and for a result without words. */
  readonly analyzedWords: (chunk: SampleSpan) => Promise<readonly Word[] | null>;
  /** Of the request; null: detected. */
  readonly language: string | null;
  /** Words and phrases of the request that are preferred; absent for none. */
  readonly vocabulary?: readonly string[] | undefined;
}

export interface LiveRecognition {
  /** Called when samples have arrived. */
  advance(): void;
  /** No update follows. */
  stop(): void;
  /** Every word that was reported as stable. */
  stable(): readonly Word[];
}

export interface LiveJob extends JobOptions {
  readonly signal: AbortSignal;
}

/** A pool that has other work is tried again after this time. */
const busyMs = 25;

export function createLiveRecognition(
  pool: InferencePool,
  recording: LiveRecording,
  { acquireTurn, onUpdate, ...given }: LiveOptions & LiveJob,
): LiveRecognition {
  const stopper = new AbortController();
  const signal = AbortSignal.any([given.signal, stopper.signal]);
  // Below everything that somebody waits for, and never in all of the processes.
  const job: LiveJob = { ...given, priority: 3, signal };
  const { step, stable } = createStepper(pool, recording, { ...job, onUpdate });
  let pace = initialPace;
  let attempting = false;
  let timer: NodeJS.Timeout | undefined;

  /** @returns false when the pool had other work */
  const attempt = async (): Promise<boolean> => {
    const endTurn = await acquireTurn(job.organizationId, { signal });
    try {
      if (!pool.idle()) return false;
      const startedAtMs = performance.now();
      const samples = recording.length();
      const window = await step();
      const endedAtMs = performance.now();
      // Behind a complete window more may wait that has arrived already.
      const seen = window?.isComplete ? pace.samples : samples;
      pace = { endedAtMs, tookMs: endedAtMs - startedAtMs, samples: seen };
      return true;
    } finally {
      endTurn();
    }
  };

  const advance = (): void => {
    if (attempting || signal.aborted) return;
    const ms = waitMs(pace, recording.length(), performance.now());
    if (ms === null) return;
    clearTimeout(timer);
    if (ms > 0) {
      timer = setTimeout(advance, ms);
      return;
    }
    attempting = true;
    // Interim text is dispensable: what fails is tried again with the next samples.
    void attempt()
      .catch(() => {
        pace = { ...pace, endedAtMs: performance.now(), samples: recording.length() };
        return true;
      })
      .then((done) => {
        attempting = false;
        if (done) advance();
        else timer = setTimeout(advance, busyMs);
      });
  };

  return {
    advance,
    stop() {
      clearTimeout(timer);
      stopper.abort(new Error('interim text has ended'));
    },
    stable,
  };
}

interface Stepper {
  /** Recognises the next window; null when there is none. */
  readonly step: () => Promise<LiveWindow | null>;
  readonly stable: () => readonly Word[];
}

/** Keeps the transcript, and how far it has come. */
function createStepper(
  pool: InferencePool,
  recording: LiveRecording,
  { onUpdate, ...job }: LiveJob & Pick<LiveOptions, 'onUpdate'>,
): Stepper {
  const recognise = createRecogniser(pool, recording, job);
  const { isAnalyzed } = recording;
  let transcript = emptyTranscript;
  let progress = noProgress;
  const step = async (): Promise<LiveWindow | null> => {
    const window = nextWindow({ ...(await recording.scan(job)), isAnalyzed }, progress);
    if (!window) return null;
    const { startSample, endSample, isComplete } = window;
    const words = await recognise(window);
    if (job.signal.aborted) return null;
    const before = transcript;
    const [start, end] = [startSample / sampleRate, endSample / sampleRate];
    transcript = withHypothesis(before, { words, start, end, isComplete });
    progress = {
      completeSample: isComplete ? endSample : progress.completeSample,
      // A part that is complete may end before the growing one that its tail was recognised in.
      recognisedSample: Math.max(progress.recognisedSample, endSample),
    };
    const stable = transcript.stable.slice(before.stable.length);
    const { tail } = transcript;
    if (stable.length + tail.length + before.tail.length > 0) {
      onUpdate({ stable, tail, audioSeconds: progress.recognisedSample / sampleRate });
    }
    return window;
  };
  return { step, stable: () => transcript.stable };
}

/** So many hypotheses for a window in the same language fix it, which saves its detection. */
const certainTimes = 2;

/** Recognises the words of a window; times of the recording. */
function createRecogniser(
  pool: InferencePool,
  { analyzedWords, slice, language, vocabulary }: LiveRecording,
  job: LiveJob,
): (window: LiveWindow) => Promise<readonly Word[]> {
  let heard = { startSample: -1, language: null as string | null, times: 0 };
  return async (window) => {
    const known = await analyzedWords(window);
    if (known) return known;
    const { startSample } = window;
    const isSame = heard.startSample === startSample;
    const isCertain = isSame && heard.times >= certainTimes;
    const request = {
      words: true,
      language: language ?? (isCertain ? heard.language : null),
      ...(vocabulary && { vocabulary }),
      ...{ text: false, head: null, spans: [] },
    };
    const { words, language: spoken } = await pool.analyze(slice(window), request, job);
    const times = isSame && heard.language === spoken ? heard.times + 1 : 1;
    heard = { startSample, language: spoken, times };
    const offset = startSample / sampleRate;
    return words.map((word) => ({ ...word, start: word.start + offset, end: word.end + offset }));
  };
}
