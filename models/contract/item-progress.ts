// How far the analysis of a long recording in a batch has come: stages and their parts of it all.

/** In the order in which a recording goes through them; clips take one step and have none. */
export const itemStages = ['fetching', 'opening', 'diarizing', 'analyzing', 'finishing'] as const;
export type ItemStage = (typeof itemStages)[number];

export interface ItemProgress {
  readonly stage: ItemStage;
  /** 0-1 of the whole, estimated. */
  readonly share: number;
}

/** The part of the whole that a stage takes, 0-1. */
export interface StageRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Estimated shares of the time that a call takes; fetching is not counted, because its time is that
 * of the other side.
 */
const weights: Readonly<Record<ItemStage, number>> = {
  fetching: 0,
  opening: 0.06,
  diarizing: 0.4,
  analyzing: 0.52,
  finishing: 0.02,
};

export function stageRange(
  stage: ItemStage,
  { diarize }: { readonly diarize: boolean },
): StageRange {
  const taken = itemStages.filter((each) => diarize || each !== 'diarizing');
  const sum = (stages: readonly ItemStage[]): number =>
    stages.reduce((total, each) => total + weights[each], 0);
  const before = sum(taken.slice(0, taken.indexOf(stage)));
  const whole = sum(taken);
  return { from: before / whole, to: (before + weights[stage]) / whole };
}
