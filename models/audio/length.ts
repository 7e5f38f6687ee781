// Lengths of audio in messages.

/** With three decimals, never more than there is: what is too short does not read as enough. */
export function secondsRoundedDown(samples: number, rate: number): string {
  return (Math.floor((samples * 1_000) / rate) / 1_000).toFixed(3);
}
