// How a Realtime session is opened: `?intent=transcription` or `?model=...`, as OpenAI's clients
// write it, and a header or a subprotocol for the form of the API's preview; pure.
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../models/contract/errors.ts';
import type { RealtimeOpening } from '../streams/authenticate.ts';
import { offeredProtocols } from '../streams/upgrade-secret.ts';
import { openAiModel } from '../openai-compatible/request.ts';
import { requireServed } from './client-events.ts';

/** @throws ServiceError */
export function readRealtimeOpening(
  query: string | undefined,
  headers: IncomingHttpHeaders,
): RealtimeOpening {
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    if (name !== 'model' && name !== 'intent') {
      const message = `A Realtime session takes model and intent, got ${name.slice(0, 64)}.`;
      throw new ServiceError('unknown_field', message, { param: name.slice(0, 64) });
    }
    if (parameters.getAll(name).length > 1) {
      throw new ServiceError('duplicate_field', `\`${name}\` was sent twice.`, { param: name });
    }
  }
  const intent = parameters.get('intent') ?? 'transcription';
  if (intent !== 'transcription') {
    const message = `\`intent\` takes transcription, got "${intent.slice(0, 32)}".`;
    throw new ServiceError('invalid_field', message, { param: 'intent' });
  }
  const model = parameters.get('model') ?? openAiModel;
  requireServed(model);
  const isPreview =
    String(headers['openai-beta'] ?? '').includes('realtime=v1') ||
    // Pages cannot send the header.
    offeredProtocols(headers).includes('openai-beta.realtime-v1');
  return { model, dialect: isPreview ? 'preview' : 'current' };
}
