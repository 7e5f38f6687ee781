// How fast an organization's Realtime sessions are read when they send faster than anybody speaks:
// audio is decoded and resampled on the event loop that all streams share, also what is refused or
// cleared and so is limited by nothing else.
import { paceClock, type PaceClock } from '../../models/fairness/pace-clock.ts';
import { createRatePace, type RatePace } from '../../models/fairness/rate-pace.ts';

/** A second of audio costs the event loop 2 to 4 ms; two cores transcribe no more than this. */
const secondsPerSecond = 60;
/** The longest turn. */
const burstSeconds = 60;
/** Of a session by itself: what is spoken while it is sent waits for nobody. */
const ownSecondsPerSecond = 1.5;
const ownBurstSeconds = 10;

/** Of one organization, in seconds of audio that it has sent faster than it could be spoken. */
export function createAudioPace(clock: PaceClock = paceClock): RatePace {
  // It is no more than is transcribed, so that one that is alone loses nothing.
  const presence = { othersThan: () => true };
  return createRatePace({ presence, perSecond: secondsPerSecond, burst: burstSeconds, clock });
}

/** Of all sessions of this process. */
const ofProcess = { pace: createAudioPace(), clock: paceClock };

export interface SessionPace {
  /** Counts audio that was read. */
  readonly count: (seconds: number) => void;
  /** Whether the session is not read for now. */
  readonly isResting: () => boolean;
}

/** @param onRested called when more may be read */
export function paceSession(
  organizationId: string,
  onRested: () => void,
  { pace, clock }: { readonly pace: RatePace; readonly clock: PaceClock } = ofProcess,
): SessionPace {
  let own = ownBurstSeconds;
  let atMs = clock.now();
  let rests = 0;
  const wait = async (rest: Promise<void>): Promise<void> => {
    rests += 1;
    await rest;
    rests -= 1;
    onRested();
  };
  // What other sessions have sent counts for one that is opened behind them.
  const late = pace.passed(organizationId, 0);
  if (late) void wait(late);
  return {
    count(seconds) {
      const nowMs = clock.now();
      own = Math.min(ownBurstSeconds, own + ((nowMs - atMs) / 1_000) * ownSecondsPerSecond);
      atMs = nowMs;
      const spoken = Math.min(own, seconds);
      own -= spoken;
      const rest = seconds > spoken ? pace.passed(organizationId, seconds - spoken) : null;
      if (rest) void wait(rest);
    },
    isResting: () => rests > 0,
  };
}
