// The charge for a recording, computed from its length.

/**
 * Length of a decoded recording: `samples` at 16 kHz, and the source's own for limits and billing.
 */
export interface AudioLength {
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
  /** Channels with speech, when each is a speaker; absent when they are mixed. */
  readonly speechChannels?: number;
}

/**
 * The seconds to charge, none for a rate of zero. Two separate channels cost the length once, and
 * each further channel with speech costs it again.
 * @param rate micro-dollars per minute of the model's task
 */
export function billableSeconds(
  rate: number,
  { sourceSamples, sourceRate, speechChannels = 1 }: Omit<AudioLength, 'samples'>,
): number {
  if (rate === 0) return 0;
  return wholeSeconds(sourceSamples, sourceRate) * Math.max(1, speechChannels - 1);
}

/** `max(1, ceil(samples / rate))`: contract.md, "Request ids, retries and billing". */
function wholeSeconds(sourceSamples: number, sourceRate: number): number {
  return Math.max(1, Math.ceil(sourceSamples / sourceRate));
}
