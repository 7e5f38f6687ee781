// The lite stream: its protocol over a socket.
import type { WebSocket } from 'ws';
import { toLiteUsage } from '../lite/response.ts';
import { durationOf } from '../results/result-fields.ts';
import { liteModel } from '../../models/contract/served-models.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';
import { openLite, stepLite, type LiteAdmitted } from './protocols/lite.ts';
import { cancelledFailure, closeCodes, type StreamFailure } from './protocols/protocol.ts';
import type { OpenedStream } from './authenticate.ts';
import { driveStream, type DrivenStream, type StreamActions } from './drive.ts';
import { interimMessages } from './interim.ts';
import { createStreamRun, type StreamServices } from './run.ts';
import { vocabularyRule } from './vocabulary-rule.ts';

const retryAfterMs = 1_000;
const busyMessage = 'Too many recordings are being analysed; commit again later.';

export interface LiteServices extends StreamServices {
  /** Concurrent commits; a client beyond them is told to commit again shortly after. */
  readonly commits: FairGate;
}

export function serveLite(
  socket: WebSocket,
  caller: OpenedStream,
  services: LiteServices,
): DrivenStream {
  const { organizationId, keyId, plan, redaction, vocabulary } = caller;
  const live = caller.isLive ? interimMessages((message) => stream.interim(message)) : null;
  const run = createStreamRun(services, { ticket: null, live });
  const requestId = caller.answerId;
  const toFailure = (error: unknown): StreamFailure => liteFailure(run.toFailure(error));
  const actions: StreamActions<null, LiteAdmitted> = {
    admit: () =>
      run.admit({
        ...{ organizationId, keyId, requestId, plan, redaction, vocabulary },
        ...{ task: 'transcription', model: liteModel, ticket: null },
        onCancel: () => stream.fail(cancelledFailure),
        onLost: (error) => stream.fail(toFailure(error)),
      }),
    record(data) {
      caller.slot.pin();
      run.record(data);
    },
    prefer: run.prefer,
    async finish(onCharge) {
      const committedAt = performance.now();
      const commitSlot = services.commits.tryAcquire(organizationId);
      if (!commitSlot) throw new ServiceError('rate_limited', busyMessage);
      try {
        const { result } = await run.finish(onCharge);
        const { billableSeconds } = result;
        const serverMs = performance.now() - committedAt;
        const audioSeconds = durationOf(result);
        return {
          type: 'final',
          text: result.text ?? '',
          model: liteModel,
          inference_ms: result.inferenceMs,
          server_ms: Math.round(serverMs),
          // Inference that ended during the recording does not delay the answer.
          queue_ms: Math.max(0, Math.round(serverMs - result.inferenceMs)),
          language: 'en',
          audio_seconds: audioSeconds,
          request_id: requestId,
          usage: toLiteUsage({ model: liteModel, plan, audioSeconds, billableSeconds }),
        };
      } finally {
        commitSlot.release();
      }
    },
    abandon: run.abandon,
    decorate: (message) => message,
    toFailure(error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') {
        const { message, param } = error;
        return { code: 'capacity', message, param, close: closeCodes.busy, retryAfterMs };
      }
      return toFailure(error);
    },
  };
  const rule = vocabularyRule(caller.isLive, liteModel, services.bundles);
  const machine = { first: openLite(rule), step: stepLite };
  const stream = driveStream(socket, machine, { actions, expiresInMs: null });
  return stream;
}

/** In the codes that this stream knows. */
function liteFailure(failure: StreamFailure): StreamFailure {
  if (failure.close === closeCodes.failed) return { ...failure, code: 'internal_error' };
  return failure.code === 'allowance_exhausted' ? failure : { ...failure, code: 'invalid_message' };
}
