// What recognition costs, as docs/benchmarks/speed.md has it of two busy cores, and what a
// recording leaves in the servers.

/** Core seconds for a second of audio, in recordings of ten minutes and more. */
export const coreSecondsPerAudioSecond = {
  /** Scores alone: 16 ms for a chunk of 3 s. */
  emotion: 0.016 / 3,
  /** 60 minutes in 36.8 s on two cores. */
  transcription: (2 * 36.8) / 3_600,
  /** 60 minutes, diarized, with logits, in 66.4 s on two cores. */
  analysis: (2 * 66.4) / 3_600,
  /** 60 minutes of Spanish, diarized, in 96.1 s on two cores. */
  'analysis-whisper': (2 * 96.1) / 3_600,
} as const;

export type CapacityTask = keyof typeof coreSecondsPerAudioSecond;

/**
 * Core seconds that a recording takes beside its audio: 1,000 clips of 2 s with words in 38.4 s on
 * two cores, less 52 ms for each 3 s.
 */
export const coreSecondsPerRecording = (2 * 38.4) / 1_000 - (2 * 0.052) / 3;

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
