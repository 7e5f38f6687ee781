// Bounds the samples that the clips of a group have in memory together.
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
  let held = 0;
  return {
    within(store) {
      let own = 0;
      return {
        ...store,
        async write(pcm) {
          if (held + pcm.length > maxSamples) throw new NoRoomInGroup();
          held += pcm.length;
          own += pcm.length;
          await store.write(pcm);
        },
        async abort() {
          held -= own;
          own = 0;
          await store.abort();
        },
      };
    },
  };
}
