// What a recording is charged, from its length alone.

/** Length of a decoded recording; `samples` at 16 kHz, the source's own for limits and billing. */
export interface AudioLength {
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
  /** Channels in which somebody speaks, where each is a speaker; absent where they are mixed. */
  readonly speechChannels?: number;
}

/** `max(1, ceil(samples / rate))`: contract.md, "Request ids, retries and billing". */
export function billableSeconds(sourceSamples: number, sourceRate: number): number {
  return Math.max(1, Math.ceil(sourceSamples / sourceRate));
}

/**
 * What is charged for the audio: nothing where nothing costs. Of separate channels two cost the
 * length once, and each further one that holds speech costs it once more.
 * @param rate of the model's task, micro-dollars per minute
 */
export function chargedSeconds(
  rate: number,
  { sourceSamples, sourceRate, speechChannels = 1 }: Omit<AudioLength, 'samples'>,
): number {
  if (rate === 0) return 0;
  return billableSeconds(sourceSamples, sourceRate) * Math.max(1, speechChannels - 1);
}
