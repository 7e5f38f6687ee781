// Validates the messages of a decoder process, because compromised code in it could send anything.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ErrorCode } from '../../models/contract/errors.ts';
import type { DecodedAudio, DecoderMessage } from './messages.ts';

/** Tolerates the edges of a resampler and of a codec. */
const maxDifferenceSeconds = 1;
const maxMessageLength = 500;
const codes: readonly ErrorCode[] = ['audio_undecodable', 'unsupported_audio', 'audio_too_long'];

/** What a job has received so far; it grows with each block. */
export interface ReceivedAudio {
  samples: number;
  blocks: number;
}

export function nothingReceived(): ReceivedAudio {
  return { samples: 0, blocks: 0 };
}

/**
 * Whether an honest decoder could have sent the message; its PCM is added to `received`.
 * @param maxSeconds the job's limit
 */
export function isPlausible(
  message: DecoderMessage,
  received: ReceivedAudio,
  maxSeconds: number,
): boolean {
  switch (message.kind) {
    case 'ready':
      return true;
    case 'pcm': {
      if (!(message.pcm instanceof Int16Array)) return false;
      received.samples += message.pcm.length;
      received.blocks += 1;
      // Blocks last seconds, but the links of chained files may be short.
      const [maxSamples, maxBlocks] = [(maxSeconds + 2) * sampleRate, maxSeconds * 4 + 1_000];
      return received.samples <= maxSamples && received.blocks <= maxBlocks;
    }
    case 'done':
      return isPlausibleAudio(message, received);
    case 'failed':
      return codes.includes(message.code) && isShortText(message.message);
    default:
      return false;
  }
}

function isPlausibleAudio(audio: DecodedAudio, received: ReceivedAudio): boolean {
  const { samples, sourceSamples, sourceRate, sourceChannels, startSeconds } = audio;
  const counts = [samples, sourceSamples, sourceRate, sourceChannels];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return false;
  if (!Number.isFinite(startSeconds) || startSeconds < 0) return false;
  if (samples !== received.samples) return false;
  if (samples === 0 && sourceSamples === 0) return true;
  return Math.abs(sourceSamples / sourceRate - samples / sampleRate) <= maxDifferenceSeconds;
}

function isShortText(text: unknown): boolean {
  return typeof text === 'string' && text.length <= maxMessageLength;
}
