// A transcription session with OpenAI's own client, which speaks TLS only.
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import { makeCertificates } from './certificates.ts';
import type { Cleanup } from './cleanup.ts';
import type { TestStack } from './stack.ts';
import { terminateTls } from './tls-terminator.ts';
import { until } from './until.ts';

type EventType = RealtimeServerEvent['type'];
type EventsOf<T extends EventType> = readonly Extract<RealtimeServerEvent, { type: T }>[];

export interface RealtimeSession {
  readonly send: OpenAIRealtimeWS['send'];
  /** The events of a type, once there are so many. */
  readonly eventsOf: <T extends EventType>(type: T, count?: number) => Promise<EventsOf<T>>;
  readonly close: () => void;
}

/** The service behind TLS, as its address for OpenAI's client, and the authority to trust. */
export async function openAiBehindTls(t: Cleanup, { base, account }: TestStack) {
  const certificates = makeCertificates(t);
  const port = await terminateTls(t, { certificates, port: Number(new URL(base).port) });
  const baseURL = `https://localhost:${port}/openai/v1`;
  return {
    client: new OpenAI({ baseURL, apiKey: account.key }),
    authority: certificates.authority,
  };
}

export function openRealtimeSession(
  { client, authority }: Awaited<ReturnType<typeof openAiBehindTls>>,
  model: string,
): RealtimeSession {
  const session = new OpenAIRealtimeWS({ model, options: { ca: authority } }, client);
  const events: RealtimeServerEvent[] = [];
  session.on('event', (event) => void events.push(event));
  // Errors are events, too, and a client without a listener for them would end the process.
  session.on('error', () => {});
  return {
    send: (event) => session.send(event),
    eventsOf: (type, count = 1) =>
      until(
        () => events.filter((event) => event.type === type) as unknown as EventsOf<typeof type>,
        ({ length }) => length >= count,
      ),
    close: () => session.close(),
  };
}
