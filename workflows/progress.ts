// The progress of a running workflow for operators: stage table, search attributes and a query.
import {
  defineQuery,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { stageTable } from './plan.ts';
import { searchAttributes } from './search-attributes.ts';
import type { Progress } from './types.ts';

const progressQuery = defineQuery<Progress>('progress');

export interface ProgressReport {
  /** Shows new numbers without an event in the history. */
  show(change: Partial<Progress>): void;
  /** Shows them and makes the stage searchable, which takes one event. */
  enter(change: Partial<Progress> & Pick<Progress, 'stage'>): void;
}

/** Registers the `progress` query and shows the first stage. */
export function reportProgress({
  diarize,
  fetch,
}: Required<Pick<Progress, 'diarize' | 'fetch'>>): ProgressReport {
  let progress: Progress = {
    stage: fetch ? 'fetching' : 'opening',
    diarize,
    fetch,
    audioSeconds: null,
    chunksDone: 0,
    chunksTotal: null,
  };
  const show = (change: Partial<Progress>): void => {
    progress = { ...progress, ...change };
    setCurrentDetails(stageTable(progress));
  };
  setHandler(progressQuery, () => progress);
  show({});
  return {
    show,
    enter: (change) => {
      show(change);
      upsertSearchAttributes(searchAttributes(change));
    },
  };
}
