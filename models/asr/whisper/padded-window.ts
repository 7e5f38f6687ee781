// The window of Whisper's encoder in which a clip is read: 30 s, as the model was trained, of which
// few positions stand for the zeros behind the clip (docs/adr/0070); pure.

/** Of a frame. */
export const hopSamples = 160;
/** Positions of 20 ms, two frames, that the published model reads at once. */
const windowPositions = 1_500;
const framesPerPosition = 2;
/** Of padding of which every position is kept; with 1 s longer chunks had no fewer errors. */
const marginFrames = 100;
/** Frames come in multiples of this. */
const stepFrames = 20;
/**
 * So many positions behind the margin have one state. `sparse`: from 32 on short prompts loop; from
 * 24 down their errors are those of a state for each position. `dense`: with 24 the multilingual
 * model ends long before the end of a clip that is cut off in speech. `detection`: no text can end
 * or loop.
 */
const positionsPerState = { sparse: 24, dense: 12, again: 4, detection: 48 } as const;
/** Of less than so many frames a dense window has more: with twelve, prompts have more errors. */
const shortFrames = 600;
const positionsPerShortState = 6;

export interface PaddedWindow {
  /** Frames of 10 ms that are computed from samples and the zeros behind them; even. */
  readonly frames: number;
  /** Of each state; those from `frames / 2` on are states of zeros. */
  readonly positions: readonly number[];
  /** The number of positions that each state stands for. */
  readonly counts: readonly number[];
}

/**
 * `dense`: by the multilingual model. `again`: what was read before is doubted. `detection`: only
 * the language is of interest.
 */
export type WindowKind = keyof typeof positionsPerState;

/** @param samples of the clip, at 16 kHz */
export function paddedWindow(samples: number, kind: WindowKind = 'sparse'): PaddedWindow {
  const clip = Math.ceil(samples / hopSamples);
  const read = (Math.ceil((clip + marginFrames) / stepFrames) * stepFrames) / framesPerPosition;
  const own = Math.min(read, windowPositions);
  const positions = Array.from({ length: own }, (_, i) => i);
  const counts = positions.map(() => 1);
  const isShort = kind === 'dense' && clip < shortFrames;
  const most = isShort ? positionsPerShortState : positionsPerState[kind];
  for (let start = own; start < windowPositions; start += most) {
    const count = Math.min(most, windowPositions - start);
    positions.push(start + count - 1);
    counts.push(count);
  }
  return { frames: own * framesPerPosition, positions, counts };
}
