// The Spectra-2 stream: its protocol over a socket.
import type { WebSocket } from 'ws';
import { toSpectra2Result } from '../spectra-2/response.ts';
import { spectraModel } from '../../models/contract/served-models.ts';
import { errorRules, isErrorCode } from '../../models/contract/errors.ts';
import { cancelledFailure } from './protocols/protocol.ts';
import { openSpectra, stepSpectra, type SpectraAdmitted } from './protocols/spectra.ts';
import type { SpectraStart } from './protocols/spectra-start.ts';
import type { OpenedStream } from './authenticate.ts';
import { driveStream, type DrivenStream, type StreamActions } from './drive.ts';
import { interimMessages } from './interim.ts';
import { createStreamRun, type StreamServices } from './run.ts';
import { vocabularyRule } from './vocabulary-rule.ts';
import type { SpectraTask } from '../../models/contract/tasks.ts';

export function serveSpectra(
  socket: WebSocket,
  caller: OpenedStream,
  services: StreamServices,
): DrivenStream {
  const { ticket, organizationId, keyId, plan, redaction, vocabulary } = caller;
  const live = caller.isLive ? interimMessages((message) => stream.interim(message)) : null;
  const run = createStreamRun(services, {
    ticket: ticket && { organizationId, ...ticket },
    live,
  });
  const expiresInMs = ticket ? ticket.endsAt - performance.now() : null;
  const named: { requestId: string; model: typeof spectraModel; task: SpectraTask } = {
    requestId: '',
    model: spectraModel,
    task: 'transcription',
  };
  const actions: StreamActions<SpectraStart, SpectraAdmitted> = {
    async admit({ task, requestId }) {
      named.task = task;
      named.requestId = requestId ?? caller.answerId;
      const { coveredSeconds } = await run.admit({
        organizationId,
        keyId,
        task,
        requestId: named.requestId,
        model: spectraModel,
        plan,
        redaction,
        vocabulary,
        ticket,
        onCancel: () => stream.fail(cancelledFailure),
        onLost: (error) => stream.fail(run.toFailure(error)),
      });
      const leftSeconds = ((ticket?.endsAt ?? Infinity) - performance.now()) / 1_000;
      const maxAudioSeconds = Math.min(coveredSeconds, Math.floor(leftSeconds * 1_000) / 1_000);
      return { ...named, maxAudioSeconds, expiresAtMs: ticket?.expiresAtMs ?? null };
    },
    record(data) {
      caller.slot.pin();
      run.record(data);
    },
    prefer: run.prefer,
    finish: async (onCharge) => toSpectra2Result(await run.finish(onCharge), named),
    abandon: run.abandon,
    decorate: withErrorType,
    toFailure: run.toFailure,
  };
  const context = {
    ticket,
    headerRequestId: caller.requestId,
    answerId: caller.answerId,
    vocabulary: vocabularyRule(caller.isLive, spectraModel, services.bundles),
  };
  const machine = {
    first: { state: openSpectra(context), effects: [] },
    step: stepSpectra,
  };
  const stream = driveStream(socket, machine, { actions, expiresInMs });
  return stream;
}

/** The envelope's error has a type, which follows from its code. */
function withErrorType(message: object): object {
  if (!('error' in message)) return message;
  const { code, ...rest } = message.error as { readonly code: string };
  const known = isErrorCode(code) ? code : 'internal_error';
  return { ...message, error: { type: errorRules[known].type, code, ...rest } };
}
