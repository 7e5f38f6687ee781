// Credentials of streams: client tokens, prepared sessions, stream sessions. For servers only.
import { openLiteStream, type LiteStream } from './lite-stream.ts';
import type { LiveOptions } from './live-text.ts';
import type { SocketTarget } from './message-socket.ts';
import type { ClientToken, PreparedSession, StreamSession } from './schemas.ts';
import { openSpectraStream, spectraModel, type SpectraStream } from './spectra-stream.ts';
import { jsonBody, type CallOptions, type Transport } from './transport.ts';

export interface StreamSessionRequest extends CallOptions {
  readonly task: 'transcription' | 'analysis';
  /** One of the session's `request_ids` that was not used. */
  readonly requestId: string;
}

export interface Sessions {
  /** Reserves ids and seconds for Spectra-2 recordings of the next 30 s. */
  prepare(call?: CallOptions): Promise<PreparedSession>;
  /**
   * A ticket for one stream, which may be given to whoever records. When its answer is lost, so is
   * the ticket: the error is `request_in_progress`, and the session's next id makes another.
   */
  stream(session: PreparedSession, request: StreamSessionRequest): Promise<StreamSession>;
  /** A token for one lite stream, valid for 60 s, which may be given to a browser. */
  clientToken(call?: CallOptions): Promise<ClientToken>;
}

export interface Streams {
  /** With the key itself; up to 60 s of audio. */
  spectra2(
    options: LiveOptions & {
      readonly task: 'transcription' | 'analysis';
      readonly requestId?: string;
    },
  ): Promise<SpectraStream>;
  lite(call?: CallOptions & LiveOptions): Promise<LiteStream>;
}

export function createSessions(transport: Transport): Sessions {
  const model = spectraModel;
  return {
    prepare: (call) =>
      transport.json({
        method: 'POST',
        path: '/v1/audio/sessions',
        // A new id for each attempt: the service answers a used one with 409.
        body: () => jsonBody({ model, id: crypto.randomUUID() })(),
        ...call,
      }),
    stream: (session, { task, requestId, ...call }) =>
      transport.json({
        method: 'POST',
        path: '/v1/audio/stream-sessions',
        headers: { 'X-Svc-Session': session.token },
        body: jsonBody({ model, task }),
        id: { header: 'X-Request-ID', value: requestId },
        outlivesAnswer: true,
        ...call,
      }),
    clientToken: (call) =>
      transport.json({ method: 'POST', path: '/v1/client-token', body: jsonBody({}), ...call }),
  };
}

export function createStreams(
  { baseUrl, apiKey }: Pick<Transport, 'baseUrl' | 'apiKey'>,
  sessions: Sessions,
  socket: Pick<SocketTarget, 'webSocket'>,
): Streams {
  const url = `${baseUrl.replace(/^http/, 'ws')}/v1/audio/spectra-2/stream`;
  return {
    spectra2: (options) =>
      openSpectraStream({
        url,
        headers: { Authorization: `Bearer ${apiKey}` },
        ...options,
        ...socket,
      }),
    lite: async ({ onText, vocabulary, ...call } = {}) =>
      openLiteStream(await sessions.clientToken(call), {
        ...socket,
        ...(onText && { onText }),
        ...(vocabulary && { vocabulary }),
      }),
  };
}
