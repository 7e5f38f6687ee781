// An inference pool whose answers a test provides: it records the requested jobs, in order.
import type { InferencePool, JobOptions } from '../../models/inference/jobs.ts';

type JobKind = 'voiceActivity' | 'analyze' | 'pronounce' | 'countSpeakers' | 'embedSpeakers';

export interface ScriptedJob {
  readonly kind: JobKind;
  readonly pcm: Int16Array;
  readonly options: JobOptions;
}

export interface ScriptedPool extends InferencePool {
  readonly jobs: readonly ScriptedJob[];
  /** The jobs of one kind, in the order in which they were submitted. */
  of(kind: JobKind): readonly ScriptedJob[];
}

export type ScriptedAnswers = Partial<Pick<InferencePool, 'idle' | JobKind>> & {
  readonly size?: number;
};

/** A kind of job without an answer rejects, because the test did not expect it. */
export function scriptedPool({
  size = 2,
  idle = () => true,
  ...answers
}: ScriptedAnswers): ScriptedPool {
  const jobs: ScriptedJob[] = [];
  const kept = (kind: JobKind, pcm: Int16Array, options: JobOptions): void => {
    jobs.push({ kind, pcm: pcm.slice(), options });
  };
  const unexpected = (kind: JobKind): Promise<never> =>
    Promise.reject(new Error(`no job of the kind ${kind} was expected`));
  return {
    jobs,
    of: (kind) => jobs.filter((job) => job.kind === kind),
    size,
    idle,
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
    voiceActivity(pcm, options) {
      kept('voiceActivity', pcm, options);
      return answers.voiceActivity?.(pcm, options) ?? unexpected('voiceActivity');
    },
    analyze(pcm, request, options) {
      kept('analyze', pcm, options);
      return answers.analyze?.(pcm, request, options) ?? unexpected('analyze');
    },
    pronounce(pcm, known, options) {
      kept('pronounce', pcm, options);
      return answers.pronounce?.(pcm, known, options) ?? unexpected('pronounce');
    },
    countSpeakers(pcm, options) {
      kept('countSpeakers', pcm, options);
      return answers.countSpeakers?.(pcm, options) ?? unexpected('countSpeakers');
    },
    embedSpeakers(pcm, startSamples, options) {
      kept('embedSpeakers', pcm, options);
      return answers.embedSpeakers?.(pcm, startSamples, options) ?? unexpected('embedSpeakers');
    },
  };
}

/** Resolves when everything that was ready to run has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
