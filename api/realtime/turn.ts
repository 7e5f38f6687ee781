// A turn of a Realtime session: a stream's request of its own, with its own id, minutes and charge.
import { findKeyTerms } from '../../db/key-terms.ts';
import { countRequest } from '../../db/rate-windows.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ConversationTurn } from '../../models/redaction/conversation.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AcquireStart } from '../../models/fairness/start-gate.ts';
import { requireRate } from '../http/key-limits.ts';
import type { OpenedStream } from '../streams/authenticate.ts';
import type { StreamFault } from '../streams/protocols/protocol.ts';
import type { StreamRequest } from '../streams/requests.ts';
import { createStreamRun, type StreamRun, type StreamServices } from '../streams/run.ts';
import { unauthorized } from '../streams/upgrade-secret.ts';
import { expectedTerms } from '../fields/vocabulary.ts';
import { modelOf, type RealtimeConfig } from './config.ts';
import { maxTurnSeconds } from './session-turns.ts';
import { bytesOf } from '../../models/audio/samples.ts';

export interface RealtimeServices extends StreamServices {
  readonly acquireStart: AcquireStart;
}

export interface TurnOptions {
  readonly caller: Pick<OpenedStream, 'organizationId' | 'keyId'>;
  readonly itemId: string;
  readonly config: RealtimeConfig;
  /** Where what was said before redacts it. */
  readonly conversation: ConversationTurn;
  /** More of the transcript, to be appended to what came before. */
  readonly onDelta: (text: string) => void;
  /** Ends the turn from outside. */
  readonly onLost: (error: unknown) => void;
}

export interface RealtimeTurn {
  /** Takes the next samples, which wait until the turn is admitted. */
  record(pcm: Int16Array): void;
  /**
   * @param onCharge called before the charge is written
   * @throws what admission, analysis or settlement throw
   */
  commit(onCharge: () => void): Promise<TurnResult>;
  /** Ends it without a result; what its client was told is debited if that client ends it. */
  drop(fault: StreamFault): Promise<void>;
  readonly toFailure: StreamRun['toFailure'];
}

export interface TurnResult {
  readonly transcript: string;
  /** That were charged. */
  readonly seconds: number;
}

export function openTurn(services: RealtimeServices, options: TurnOptions): RealtimeTurn {
  const { onDelta, conversation } = options;
  let hasText = false;
  const say = (words: readonly string[]): boolean => {
    if (words.length === 0) return false;
    onDelta((hasText ? ' ' : '') + words.join(' '));
    hasText = true;
    return true;
  };
  const run = createStreamRun(services, {
    ticket: null,
    conversation,
    live: {
      onUpdate: ({ stable }) => say(stable.map(({ word }) => word)),
      onFinal: ({ isRevised, rest }) => {
        if (!isRevised) say(rest);
      },
    },
  });
  let waiting: Int16Array[] | null = [];
  let samples = 0;
  /** The part of the longest turn that the account can pay for. */
  let coveredSeconds = 0;
  const record = (pcm: Int16Array): void => {
    samples += pcm.length;
    if (samples <= coveredSeconds * sampleRate) run.record(bytesOf(pcm));
    else options.onLost(uncovered(coveredSeconds));
  };
  const admitted = admit(services, run, options).then((request) => {
    ({ coveredSeconds } = request);
    for (const pcm of waiting ?? []) record(pcm);
    waiting = null;
  });
  // Reported by `commit`; until then it must not count as unhandled.
  admitted.catch(() => {});
  return {
    record: (pcm) => (waiting ? void waiting.push(pcm) : record(pcm)),
    async commit(onCharge) {
      await admitted;
      const { result } = await run.finish(onCharge).finally(conversation.over);
      return { transcript: result.text ?? '', seconds: result.billableSeconds };
    },
    drop(fault) {
      conversation.over();
      return run.abandon(fault);
    },
    toFailure: run.toFailure,
  };
}

function uncovered(seconds: number): ServiceError {
  const message = `What is left of the account covers ${seconds} seconds of this turn.`;
  return new ServiceError('allowance_exhausted', message);
}

/**
 * A turn counts as a request of its key, with what holds for the organization when it begins.
 * @throws ServiceError 401, 402, 429
 */
async function admit(
  services: RealtimeServices,
  run: StreamRun,
  { caller, itemId, config, onLost }: TurnOptions,
): Promise<StreamRequest> {
  const { organizationId, keyId } = caller;
  const terms = await findKeyTerms(services.db, keyId);
  if (!terms) throw unauthorized();
  const { requestsPerMinute, ...held } = terms;
  requireRate(requestsPerMinute, await countRequest(services.db, keyId));
  await services.acquireStart(organizationId);
  run.prefer(expectedTerms(config));
  return run.admit({
    ...{ organizationId, keyId, ...held, requestId: itemId, ticket: null },
    ...{ task: 'transcription', model: modelOf(config), language: config.language },
    maxSeconds: maxTurnSeconds,
    onCancel: () => onLost(new Error('the turn was cancelled by an operator')),
    onLost,
  });
}
