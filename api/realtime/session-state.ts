// The state, the events and the effects of a transcription session of OpenAI's Realtime API.
// Positions are samples at 16 kHz since the session began.
import type { ModelId } from '../../models/contract/catalog.ts';
import type { CloseCode, StreamFault } from '../streams/protocols/protocol.ts';
import type { ClientEvent } from './client-events.ts';
import type { Dialect, RealtimeConfig, SessionIdentity } from './config.ts';
import type { InputFormat } from './audio-input.ts';
import type { TurnState } from './turn-detection.ts';

/** The turn that audio is recorded into. */
interface OpenTurn {
  readonly itemId: string;
  readonly startSample: number;
  readonly endSample: number;
}

export interface RealtimeState {
  readonly phase: 'open' | 'closed';
  readonly identity: SessionIdentity;
  readonly dialect: Dialect;
  readonly config: RealtimeConfig;
  /** Models for which no prompt can be honoured. */
  readonly withoutVocabulary: ReadonlySet<ModelId>;
  /** Samples that were appended. */
  readonly samples: number;
  readonly turn: OpenTurn | null;
  /** Number of turns so far, which names the next one. */
  readonly turns: number;
  readonly previousItemId: string | null;
  /** End of the last turn, before which no other one begins. */
  readonly lastEndSample: number;
  readonly detection: TurnState;
  /** Where the detection began. */
  readonly detectionStart: number;
}

export interface EventError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

/** What a client asks for, but for audio, which is decoded first. */
export type SessionCommand = Exclude<ClientEvent, { kind: 'append' }>;

export type RealtimeEvent =
  | { readonly kind: 'client'; readonly event: SessionCommand; readonly eventId: string | null }
  /** Audio of an append, decoded. */
  | { readonly kind: 'audio'; readonly pcm: Int16Array; readonly eventId: string | null }
  /** A client's event that cannot be honoured. */
  | { readonly kind: 'refused'; readonly error: EventError; readonly eventId: string | null }
  /** Probabilities of speech of the next hops. */
  | { readonly kind: 'detected'; readonly probabilities: Float32Array }
  | { readonly kind: 'delta'; readonly itemId: string; readonly text: string }
  | {
      readonly kind: 'completed';
      readonly itemId: string;
      readonly transcript: string;
      readonly seconds: number;
    }
  | { readonly kind: 'turnFailed'; readonly itemId: string; readonly error: EventError }
  /** Ends the session. */
  | {
      readonly kind: 'failed';
      readonly error: EventError;
      readonly close: CloseCode;
      readonly fault: StreamFault;
    }
  | { readonly kind: 'gone' };

export type RealtimeEffect =
  | { readonly do: 'send'; readonly message: object }
  /** Keeps the samples for turns and for the detection. */
  | { readonly do: 'keep'; readonly pcm: Int16Array }
  /** Detects speech from this sample on; null: no more. */
  | { readonly do: 'detect'; readonly fromSample: number | null }
  | { readonly do: 'useFormat'; readonly format: InputFormat }
  | {
      readonly do: 'open';
      readonly itemId: string;
      readonly config: RealtimeConfig;
      readonly startSample: number;
    }
  | {
      readonly do: 'record';
      readonly itemId: string;
      readonly startSample: number;
      readonly endSample: number;
    }
  /** Transcribes the turn; answered by `completed` or `turnFailed`. */
  | { readonly do: 'commit'; readonly itemId: string }
  | { readonly do: 'drop'; readonly itemId: string }
  /** Ends every turn without a result. */
  | { readonly do: 'abandon'; readonly fault: StreamFault }
  | { readonly do: 'close'; readonly code: CloseCode };

export interface RealtimeStep {
  readonly state: RealtimeState;
  readonly effects: readonly RealtimeEffect[];
}
