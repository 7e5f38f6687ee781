// Every error code that leaves the service, with HTTP status, envelope type and meaning. Answers,
// the reference and its examples are generated from this table.

/** Envelope types by HTTP status family (contract.md, "Errors"). */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'billing_error'
  | 'permission_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'api_error';

interface ErrorRule {
  readonly status: number;
  readonly type: ErrorType;
  /** A sentence for the reference that explains when the code occurs. */
  readonly meaning: string;
}

const rule = (status: number, type: ErrorType, meaning: string): ErrorRule => ({
  status,
  type,
  meaning,
});
const invalid = (status: number, meaning: string) => rule(status, 'invalid_request_error', meaning);
const conflict = (status: number, meaning: string) => rule(status, 'conflict_error', meaning);
const limited = (meaning: string) => rule(429, 'rate_limit_error', meaning);
const failure = (status: number, meaning: string) => rule(status, 'api_error', meaning);

/** Code -> status, type and meaning. */
export const errorRules = {
  missing_file: invalid(400, 'No part named `file` holds a file, or it is empty.'),
  missing_field: invalid(400, 'A field or header that is needed is absent.'),
  invalid_field: invalid(400, 'A field, header or parameter has a value that it does not take.'),
  unknown_field: invalid(400, 'A strict shape was sent a field that it does not have.'),
  duplicate_field: invalid(400, 'A field or file was given twice.'),
  invalid_json: invalid(400, 'The body is not JSON in UTF-8.'),
  invalid_multipart: invalid(400, 'The multipart body cannot be read.'),
  unsupported_audio: invalid(
    400,
    'The container, the samples or the channels are none that the model takes.',
  ),
  audio_undecodable: invalid(400, 'The recording cannot be decoded.'),
  audio_too_short: invalid(400, 'The decoded recording is shorter than the model takes.'),
  audio_too_long: invalid(400, 'The decoded recording is longer than the model takes.'),
  model_not_found: invalid(400, 'There is no model of this id.'),
  model_not_supported: invalid(400, 'The endpoint does not serve this model.'),
  model_retired: invalid(400, 'The model is retired.'),
  diarization_unsupported: invalid(400, 'The model does not diarize.'),
  invalid_request_id: invalid(400, '`X-Request-ID` is not 1 to 128 visible ASCII characters.'),
  invalid_api_key: rule(
    401,
    'authentication_error',
    'The API key, ticket or token is absent or not valid.',
  ),
  allowance_exhausted: rule(
    402,
    'billing_error',
    'Plan minutes, overage or credits do not cover it.',
  ),
  paid_plan_required: rule(402, 'billing_error', 'The model is included with a paid plan alone.'),
  storage_quota_exceeded: rule(
    402,
    'billing_error',
    'The account may keep no more files or items.',
  ),
  model_access_required: rule(
    403,
    'permission_error',
    'The organization has no approved access to the model.',
  ),
  server_only: rule(403, 'permission_error', 'The request was made by a browser.'),
  account_suspended: rule(403, 'permission_error', 'The account is suspended.'),
  not_found: invalid(404, 'There is nothing at this path, or of this id.'),
  session_unavailable: invalid(404, 'Prepared sessions are not available here.'),
  method_not_allowed: invalid(
    405,
    'The path does not take this method; `Allow` names those that it takes.',
  ),
  upload_timeout: invalid(408, 'The body came too slowly.'),
  request_in_progress: conflict(
    409,
    "The request id's work is in progress, or its outcome is unknown.",
  ),
  request_already_completed: conflict(409, 'The request id is used up.'),
  idempotency_conflict: conflict(409, 'The id or key was used for another request.'),
  file_in_use: conflict(409, 'The file belongs to a batch that has not ended.'),
  batch_in_progress: conflict(409, 'The batch has not ended.'),
  batch_already_ended: conflict(409, 'The batch has ended.'),
  session_expired: conflict(409, 'The prepared session is over.'),
  direct_streaming_unavailable: conflict(409, 'Streams are not opened by sessions here.'),
  body_too_large: invalid(413, 'The body is larger than the endpoint takes.'),
  file_too_large: invalid(413, 'The file is larger than the model takes.'),
  unsupported_media_type: invalid(415, 'The Content-Type is none that the endpoint takes.'),
  expectation_failed: invalid(417, '`Expect` has another value than 100-continue.'),
  upgrade_required: invalid(426, 'The path is that of a WebSocket.'),
  session_capacity_unavailable: conflict(428, 'The prepared session cannot cover the request.'),
  headers_too_large: invalid(431, 'The headers have more than 16 KiB.'),
  upload_busy: limited(
    'As many recordings are being taken as may be; send it again with the same id.',
  ),
  model_busy: limited(
    'As many recordings are being analysed as may be; the id is used up, nothing was charged.',
  ),
  session_busy: limited('As many sessions are being set up as may be.'),
  rate_limited: limited('A limit of the key, the account or the process is reached.'),
  internal_error: failure(500, 'The service failed.'),
  diarization_upstream_failed: failure(503, 'The diarizer is not available.'),
  model_unavailable: failure(503, 'The model is not available.'),
  preview_disabled: failure(503, 'The preview is switched off.'),
  setup_unconfirmed: failure(503, 'The set-up could not be confirmed; nothing was inferred.'),
  not_ready: failure(
    503,
    'A part of the service cannot be reached; send it again with the same id.',
  ),
  timeout: failure(504, 'The answer takes longer than the deadline; the analysis goes on.'),
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof errorRules;

export interface ServiceErrorDetails {
  /** The request field or header that caused the error. */
  readonly param?: string | undefined;
  /** Its location, when that is neither the body nor a header. */
  readonly location?: 'query' | undefined;
  /** Whole seconds, >= 1; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * An error for the caller; the message says what was wrong, what is allowed and what was received.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly location: 'query' | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.param = details.param ?? null;
    this.location = details.location ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }

  get status(): number {
    return errorRules[this.code].status;
  }

  get type(): ErrorType {
    return errorRules[this.code].type;
  }
}

/** True for a code of the table (the `ApplicationFailure.type` of a failed activity). */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorRules, value);
}
