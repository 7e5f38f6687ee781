// Bounds the samples that the clips of a group have in memory together.
import { createAudioBudget } from '../../models/fairness/audio-budget.ts';
import type { PcmStore } from '../pcm-store.ts';

/** The group has no memory left for the recording. */
export class NoRoomInGroup extends Error {
  override readonly name = 'NoRoomInGroup';
}

export interface SampleRoom {
  /**
   * The store while there is room for what is written: a write beyond it throws NoRoomInGroup.
   * What is aborted makes room for others.
   */
  within(store: PcmStore): PcmStore;
}

/** @param maxSamples of all stores together */
export function createSampleRoom(maxSamples: number): SampleRoom {
  const budget = createAudioBudget(maxSamples);
  return {
    within(store) {
      const share = budget.share();
      let samples = 0;
      return {
        ...store,
        async write(pcm) {
          samples += pcm.length;
          if (!share.hold(samples)) throw new NoRoomInGroup();
          await store.write(pcm);
        },
        async abort() {
          share.hold(0);
          await store.abort();
        },
      };
    },
  };
}
