// The client of one service with one key.
import { createAudio, type Audio } from './audio.ts';
import { runBatch, type BatchRun, type BatchRunOptions } from './batch-run.ts';
import { createBatches, type Batches } from './batches.ts';
import { createFiles, type Files } from './files.ts';
import type { SocketTarget } from './message-socket.ts';
import type { Batch, ModelList, Pricing, WebhookSecret, WebhookTest } from './schemas.ts';
import { createSessions, createStreams, type Sessions, type Streams } from './sessions.ts';
import { createTransport, jsonBody, type CallOptions, type TransportOptions } from './transport.ts';

export type ClientOptions = TransportOptions & Pick<SocketTarget, 'webSocket'>;

export interface SpeechClient {
  readonly audio: Audio;
  readonly files: Files;
  readonly batches: Batches & {
    /** Uploads recordings, creates their batch and waits for its end. */
    run(run: BatchRun, options?: BatchRunOptions): Promise<Batch>;
  };
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly webhooks: {
    /**
     * A new secret; the previous one also signs for 24 hours, or until the next rotation. After a
     * lost answer it is not asked for again: a second new one would end the secret in use.
     */
    createSecret(call?: CallOptions): Promise<WebhookSecret>;
    /** Sends one event to the receiver. */
    test(url: string, call?: CallOptions): Promise<WebhookTest>;
  };
  models(call?: CallOptions): Promise<ModelList>;
  pricing(call?: CallOptions): Promise<Pricing>;
}

/** @throws Error for an address that is no http or https URL, or what is no key */
export function createSpeechClient(options: ClientOptions): SpeechClient {
  const transport = createTransport(options);
  const files = createFiles(transport);
  const batches = createBatches(transport);
  const sessions = createSessions(transport);
  const { webSocket } = options;
  return {
    audio: createAudio(transport),
    files,
    batches: {
      ...batches,
      run: (run, runOptions) => runBatch({ files, batches }, run, runOptions),
    },
    sessions,
    streams: createStreams(transport, sessions, { ...(webSocket && { webSocket }) }),
    webhooks: {
      createSecret: (call) =>
        transport.json({ method: 'POST', path: '/v1/webhooks/secret', isOnce: true, ...call }),
      test: (url, call) =>
        transport.json({
          method: 'POST',
          path: '/v1/webhooks/test',
          body: jsonBody({ url }),
          ...call,
        }),
    },
    models: (call) => transport.json({ path: '/v1/models', ...call }),
    pricing: (call) => transport.json({ path: '/v1/pricing', ...call }),
  };
}
