// What is kept of a recording for reports, metrics and players: its waveform outline, its loudness
// and where it begins.
import { collectLoudness } from '../../audio/loudness.ts';
import { collectPeaks } from '../../audio/peaks.ts';

export interface RecordingOutline {
  /** Peaks of the waveform in equal parts, 0-1; the maximum over the channels. */
  readonly peaks: readonly number[];
  /** dBFS by channel and second; one channel when they are mixed. */
  readonly loudnessDb: readonly (readonly number[])[];
  /** Where the recording begins in its container's time, which players show; absent for 0. */
  readonly startSeconds?: number;
}

export interface OutlineCollector {
  /** 16 kHz PCM16 of a channel, in order. */
  add(channel: number, pcm: Int16Array): void;
  /** @param startSeconds of the recording in its container's time */
  end(startSeconds: number): RecordingOutline;
}

export function collectOutline(): OutlineCollector {
  const channels: ReturnType<typeof collectChannel>[] = [];
  return {
    add(channel, pcm) {
      const { peaks, loudness } = (channels[channel] ??= collectChannel());
      peaks.add(pcm);
      loudness.add(pcm);
    },
    end(startSeconds) {
      const peaks = channels.map((channel) => channel.peaks.end());
      const [first = []] = peaks;
      return {
        peaks: first.map((_, i) => {
          const loudest = Math.max(...peaks.map((each) => each[i] ?? 0));
          return Math.round(loudest * 1_000) / 1_000;
        }),
        loudnessDb: channels.map((channel) => channel.loudness.end()),
        ...(startSeconds > 0 && { startSeconds }),
      };
    },
  };
}

function collectChannel() {
  return { peaks: collectPeaks(), loudness: collectLoudness() };
}
