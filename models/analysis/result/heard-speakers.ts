// Who is a speaker once words and scores are known: voice activity and the diarizer also find
// voices in sounds; pure.
import type { Word } from '../../asr/transcript.ts';
import type { TaskSteps } from '../../contract/tasks.ts';
import { renumber } from '../../diarization/turns.ts';
import type { RecordingPlan } from '../plan/plan.ts';

/** A turn with its words, and those of its parts that hold speech. */
export interface HeardTurn {
  readonly words: readonly Word[];
  readonly speaker: number | null;
  readonly parts: readonly unknown[];
}

export interface HeardSpeakers<T> {
  /** In order; [] where nobody speaks. */
  readonly turns: readonly T[];
  /** null where nobody speaks, or nobody asked. */
  readonly speakers: number | null;
}

/**
 * Without the turns of speakers who say nothing in the whole recording: no word where words are
 * recognised, nothing that sounds like speech where they are not. Of a speaker who does say
 * something every turn stays. Channels are speakers whatever they hold, and so is everybody whose
 * number the caller gave, if anybody speaks.
 */
export function heardSpeakers<T extends HeardTurn>(
  turns: readonly T[],
  { steps, plan }: { readonly steps: TaskSteps; readonly plan: RecordingPlan },
): HeardSpeakers<T> {
  const { speakers, channelSpeechSeconds, exactSpeakers } = plan;
  const isAsked = steps.words || (steps.scores && !steps.text);
  if (speakers === null || channelSpeechSeconds || !isAsked) return { turns, speakers };
  const speaks = ({ words, parts }: T): boolean =>
    steps.words ? words.length > 0 : parts.length > 0;
  const heard = new Set(turns.filter(speaks).map(({ speaker }) => speaker));
  if (heard.size === 0) return { turns: [], speakers: null };
  if (exactSpeakers) return { turns, speakers };
  const kept = renumber(turns.filter(({ speaker }) => heard.has(speaker)));
  return { turns: kept, speakers: heard.size };
}
