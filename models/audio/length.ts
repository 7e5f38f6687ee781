// Formats lengths of audio for messages.

/** Rounded down to three decimals, so that a recording below a minimum never seems to reach it. */
export function secondsRoundedDown(samples: number, rate: number): string {
  return (Math.floor((samples * 1_000) / rate) / 1_000).toFixed(3);
}
