// Shared by the protocols of both streams: events in, effects out, close codes, common failures.
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { secondsRoundedDown } from '../../../models/audio/length.ts';
import { findDuplicateMember } from '../../http/duplicate-member.ts';
import { isTooComplex } from '../../http/json-complexity.ts';
import { idleMs, lifetimeMs } from '../timeouts.ts';

/** WebSocket close codes of contract.md. */
export const closeCodes = {
  done: 1000,
  policy: 1008,
  tooLarge: 1009,
  failed: 1011,
  busy: 1013,
  deadline: 4408,
} as const;
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** Events of a stream, from its client, its worker or its timers. */
export type StreamEvent<Admitted> =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly data: Uint8Array }
  /** Its request is claimed and its minutes are reserved. */
  | { readonly kind: 'admitted'; readonly admitted: Admitted }
  | { readonly kind: 'result'; readonly message: object }
  /** Text before the result, in the subprotocols that have it. */
  | { readonly kind: 'interim'; readonly message: object }
  | { readonly kind: 'failed'; readonly failure: StreamFailure }
  /** 30 s without a message. */
  | { readonly kind: 'idle' }
  /** The prepared session has expired. */
  | { readonly kind: 'expired' }
  /** The socket is closed. */
  | { readonly kind: 'gone' };

/** Actions, in order. */
export type StreamEffect<Start> =
  /** Claim the request and reserve its audio; answered by `admitted` or `failed`. */
  | { readonly do: 'admit'; readonly start: Start }
  | { readonly do: 'send'; readonly message: object }
  | { readonly do: 'record'; readonly data: Uint8Array }
  /** The terms that recognition prefers; before any audio. */
  | { readonly do: 'prefer'; readonly terms: readonly string[] }
  /** The recording is complete; answered by `result` or `failed`. */
  | { readonly do: 'finish' }
  /** No result, whatever is in progress. */
  | { readonly do: 'abandon'; readonly fault: StreamFault }
  | { readonly do: 'close'; readonly code: CloseCode };

/** An error that ends a stream, or after which a client may try again. */
export interface StreamFailure {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly close: CloseCode;
  /** Absent where the close code tells it. */
  readonly fault?: StreamFault;
  /** Set when the recording is kept for another attempt. */
  readonly retryAfterMs?: number;
}

/**
 * Whose doing it is that a stream ends without its result. Its client pays for the interim text
 * that it was told. The others cost nothing, and what the service or its exchange ends may be tried
 * again.
 */
export type StreamFault = 'client' | 'operator' | 'service' | 'exchange';

export function faultOf({ close, fault }: Pick<StreamFailure, 'close' | 'fault'>): StreamFault {
  if (fault) return fault;
  return close === closeCodes.failed || close === closeCodes.busy ? 'service' : 'client';
}

/** Codes of the shared failures in the error envelope. */
const envelopeCodes: Readonly<Record<string, string>> = {
  frame_too_large: 'body_too_large',
  invalid_message: 'invalid_field',
  message_flood: 'rate_limited',
};

/** The code of a failure where it is reported as an error of the envelope. */
export function envelopeCode(code: string): string {
  return envelopeCodes[code] ?? code;
}

export interface Step<State, Start> {
  readonly state: State;
  readonly effects: readonly StreamEffect<Start>[];
}

const sampleBytes = 2;
export const maxFrameBytes = 32_768;
export const bytesPerSecond = sampleRate * sampleBytes;

/** Why a binary frame is rejected, or null. */
export function frameFailure(bytes: number): StreamFailure | null {
  if (bytes > maxFrameBytes) {
    const message = `A frame may have at most ${maxFrameBytes} bytes, got ${bytes}.`;
    return { code: 'frame_too_large', message, param: null, close: closeCodes.tooLarge };
  }
  if (bytes < sampleBytes || bytes % sampleBytes !== 0) {
    const message = `A frame must hold whole samples of ${sampleBytes} bytes, got ${bytes} bytes.`;
    return { code: 'invalid_field', message, param: null, close: closeCodes.policy };
  }
  return null;
}

export function tooLongFailure(maxSeconds: number): StreamFailure {
  const message = `The recording may have at most ${maxSeconds} seconds; more were sent.`;
  return { code: 'audio_too_long', message, param: null, close: closeCodes.tooLarge };
}

export function tooShortFailure(bytes: number, minSeconds: number): StreamFailure {
  const seconds = secondsRoundedDown(bytes / sampleBytes, sampleRate);
  const message = `The recording must have at least ${minSeconds} seconds, got ${seconds}.`;
  return { code: 'audio_too_short', message, param: null, close: closeCodes.policy };
}

export const idleFailure: StreamFailure = {
  code: 'timeout',
  message: `No message was received for ${idleMs / 1_000} seconds.`,
  param: null,
  close: closeCodes.deadline,
};

/** A frame or message that was rejected at its header, so its length is unknown. */
export const largeFrameFailure: StreamFailure = {
  code: 'frame_too_large',
  message: `A frame may have at most ${maxFrameBytes} bytes; a longer one was sent.`,
  param: null,
  close: closeCodes.tooLarge,
};

export const brokenFrameFailure: StreamFailure = {
  code: 'invalid_message',
  message: 'A frame violates the WebSocket protocol in its header, fragments or UTF-8.',
  param: null,
  close: closeCodes.policy,
};

/** Each protocol reports this under a code of its own. */
export const floodFailure: StreamFailure = {
  code: 'message_flood',
  message: 'Too many messages; send audio in frames of at least 5 ms.',
  param: null,
  close: closeCodes.policy,
};

export const lifetimeFailure: StreamFailure = {
  code: 'timeout',
  message: `A stream may stay open for at most ${lifetimeMs / 60_000} minutes.`,
  param: null,
  close: closeCodes.deadline,
};

/** An idle socket whose slot another organization needs. */
export const revokedFailure: StreamFailure = {
  code: 'rate_limited',
  message:
    'All stream slots are in use, and this stream has sent no audio yet; open it again later.',
  param: null,
  close: closeCodes.busy,
};

export const suspendedFailure: StreamFailure = {
  code: 'account_suspended',
  message: 'The account was suspended.',
  param: null,
  close: closeCodes.policy,
  fault: 'operator',
};

export const revokedKeyFailure: StreamFailure = {
  code: 'invalid_api_key',
  message: 'The key that opened the stream was revoked.',
  param: null,
  close: closeCodes.policy,
  fault: 'operator',
};

/** The worker was asked to stop, and the stream has not been committed in time. */
export const stoppingFailure: StreamFailure = {
  code: 'not_ready',
  message: 'The service is being restarted; open the stream again.',
  param: null,
  close: closeCodes.busy,
  fault: 'exchange',
};

export const cancelledFailure: StreamFailure = {
  code: 'internal_error',
  message: 'The stream was cancelled by an operator.',
  param: null,
  close: closeCodes.failed,
};

/** Applies events to a machine one after the other, after a first step. */
export function replay<State, Start, Event>(
  first: Step<State, Start>,
  step: (state: State, event: Event) => Step<State, Start>,
  events: readonly Event[],
): Step<State, Start> {
  let { state } = first;
  const effects = [...first.effects];
  for (const event of events) {
    const next = step(state, event);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

/** A hundred terms and all settings are a tenth of it; half a megabyte of `{"a":` takes 75 ms. */
export const maxMessageElements = 1_024;

/** A text frame as an object, or null; one with too many elements or a duplicate member is null. */
export function parseMessage(text: string): Readonly<Record<string, unknown>> | null {
  if (isTooComplex(Buffer.from(text), maxMessageElements)) return null;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !findDuplicateMember(text) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
