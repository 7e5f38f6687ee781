// A webhook message: what a receiver is told, and under which signatures.

export interface WebhookMessage {
  /** The same for every repetition, so that receivers can drop duplicates. */
  readonly id: string;
  readonly url: URL;
  /** Newest first; each secret signs. */
  readonly secrets: readonly string[];
  readonly event: WebhookEvent;
}

export interface ReceiverAnswer {
  readonly status: number;
  /** After which the receiver wants the message again; null where it did not say. */
  readonly retryAfterSeconds: number | null;
}

/** Ids and states; never anything from a recording. */
export interface WebhookEvent {
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: object;
}
