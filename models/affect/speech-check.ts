// Whether spans contain speech: a head on the encoder, and, where it is not certain, a network that
// has heard music and noise of every kind.
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { TimeSpan } from '../audio/samples.ts';
import type { SoundClasses } from './sound-classes.ts';
import type { PooledHead } from './head.ts';
import { certainSpeechLogit, minSpeechLogit, type SpeechEvidence } from './no-speech.ts';

export interface SpeechCheck {
  /**
   * For each span; [] for no spans.
   * @param samples of the chunk, 16 kHz mono
   */
  hear(
    encoded: EncodedSpeech,
    samples: Float32Array,
    spans: readonly TimeSpan[],
  ): Promise<readonly SpeechEvidence[]>;
}

export function createSpeechCheck(head: PooledHead, classes: SoundClasses): SpeechCheck {
  return {
    async hear(encoded, samples, spans) {
      const heard: SpeechEvidence[] = [];
      for (const [i, [logit]] of (await head.score(encoded, spans)).entries()) {
        const isAsked = logit! >= minSpeechLogit && logit! < certainSpeechLogit;
        const odds = isAsked ? await classes.speechLogOdds(samples, spans[i]!) : 0;
        heard.push({ logit: logit!, odds });
      }
      return heard;
    },
  };
}
