// What recognition costs, as docs/benchmarks/speed.md has it of two busy cores, and what a
// recording leaves in the servers. Machines are those of docs/benchmarks/README.md.

/** Core-seconds of an hour's answer, decoding, orchestration and all servers included. */
export const coreSecondsPerHour = {
  /** Scores alone: 16 ms for a chunk of 3 s. */
  emotion: 0.016 * 1_200,
  /** In 38.2 s. */
  transcription: 72.7,
  /** Diarized, with logits, in 69.1 s. */
  analysis: 132.7,
  /** Spanish prompts, diarized, in 100.1 to 104.9 s: 194 to 203. */
  'analysis-whisper': 203,
} as const;

export type CapacityTask = keyof typeof coreSecondsPerHour;

/** The machine and the commit of each. */
export const measuredOn: Readonly<Record<CapacityTask | 'clips', string>> = {
  emotion: 'unrecorded, 2f321a21',
  transcription: 'unrecorded, 2912d111',
  analysis: 'unrecorded, 2912d111',
  'analysis-whisper': 'unrecorded, e9375984',
  clips: 'avx512_vnni, 0655bde5',
};

/** A clip of 2 s in a batch, with words: 1,000 of them in 36.5 s on two cores. */
export const coreSecondsPerClip = (2 * 36.5) / 1_000;

/** Core-seconds that a recording takes beside its audio: a clip's less 52 ms for each 3 s. */
export const coreSecondsPerRecording = coreSecondsPerClip - (2 * 0.052) / 3;

/** From the request of a caller to the answer, a clip of 2 s on idle cores. */
export const idleClipMs = { p50: 111, p95: 163 } as const;

/** Decoded recordings lie in object storage between their steps: 16 kHz, 16 bits. */
export const pcmBytesPerAudioSecond = 32_000;

/** 2.1 MB of JSON for an hour, diarized, with logits. */
export const resultBytesPerAudioSecond = 2_100_000 / 3_600;

/** Reserve, release and debit; kept for good. */
export const ledgerRowsPerRecording = 3;

/** Of `diarized-analysis`, `long-recording` and `short-clip` in test/histories. */
export const historyEvents = { diarized: 38, recording: 31, clip: 7 } as const;

/** MiB under load: a process with its models, and what a worker and its decoders have beside it. */
export const memory = { inferenceProcess: 400, worker: 500 } as const;
