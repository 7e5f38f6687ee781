// A stream: the worker that holds the socket runs one activity for it, and the loss of that worker
// ends the request.
import { CancellationScope, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from './search-attributes.ts';
import { endStream, onHostQueue } from './stream-proxies.ts';
import type { StreamInput, StreamOutcome } from './types.ts';

/**
 * Lasts as long as its socket. The worker settles what was recorded; in every other case the
 * reservation is released and the request has failed, so that its id may be tried again.
 */
export async function streamRecording(stream: StreamInput): Promise<StreamOutcome> {
  setCurrentDetails('**recording**');
  try {
    const outcome = await onHostQueue(stream.hostQueue).holdStream(stream);
    setCurrentDetails(`**${outcome}**`);
    upsertSearchAttributes(searchAttributes({ stage: outcome }));
    return outcome;
  } catch (error) {
    setCurrentDetails('**lost**: its worker or its socket ended before it was finished');
    upsertSearchAttributes(searchAttributes({ stage: 'failed' }));
    await CancellationScope.nonCancellable(() => endStream(stream));
    throw error;
  }
}
