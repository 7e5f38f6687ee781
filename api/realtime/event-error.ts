// A failure of a stream as an error event reports it: its code and type are those of the envelope.
import { errorRules, isErrorCode } from '../../models/contract/errors.ts';
import { envelopeCode, type StreamFailure } from '../streams/protocols/protocol.ts';
import type { EventError } from './session-state.ts';

export function toEventError({ code: own, message, param }: StreamFailure): EventError {
  const code = envelopeCode(own);
  const { type } = errorRules[isErrorCode(code) ? code : 'internal_error'];
  return { type, code, message, param };
}
