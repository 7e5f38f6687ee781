// The audio that a process has in memory at once, over all who hold some of it.

export interface AudioBudget {
  /** Of one holder, which has nothing yet. */
  share(): AudioShare;
}

export interface AudioShare {
  /**
   * Holds so many samples instead of those held before.
   * @returns false when so many are not left, and nothing changes; never for fewer than before
   */
  hold(samples: number): boolean;
}

/** @param samples that all shares together hold at most */
export function createAudioBudget(samples: number): AudioBudget {
  let left = samples;
  return {
    share() {
      let held = 0;
      return {
        hold(wanted) {
          const more = wanted - held;
          if (more > 0 && more > left) return false;
          held = wanted;
          left -= more;
          return true;
        },
      };
    },
  };
}
