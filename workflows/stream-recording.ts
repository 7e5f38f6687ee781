// A stream: the worker that has the socket holds it in one activity; its loss ends the request.
import { CancellationScope, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from './search-attributes.ts';
import { endStream, onHostQueue } from './stream-proxies.ts';
import type { StreamInput, StreamOutcome } from './types.ts';

/**
 * Lasts as long as its socket. What was recorded is settled by the worker that has it; whatever
 * else happens, the reservation goes back and the id is used up.
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
