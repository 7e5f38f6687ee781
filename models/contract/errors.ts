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
  missing_file: invalid(400, 'The part `file` is missing, is not a file, or is empty.'),
  missing_field: invalid(400, 'A required field or header is missing.'),
  invalid_field: invalid(400, 'The value of a field, header or parameter is not allowed.'),
  unknown_field: invalid(400, 'A strict shape does not accept this field.'),
  duplicate_field: invalid(400, 'A field or file was sent twice.'),
  invalid_json: invalid(400, 'The body is not JSON in UTF-8.'),
  invalid_multipart: invalid(400, 'The multipart body cannot be read.'),
  unsupported_audio: invalid(
    400,
    'The model does not accept this container, sample format or number of channels.',
  ),
  source_refused: invalid(400, 'The service may not fetch the recording from this address.'),
  source_rejected: invalid(400, 'The server of `source` does not give the recording out.'),
  source_unreachable: invalid(400, 'The recording could not be fetched from `source`.'),
  audio_undecodable: invalid(400, 'The recording cannot be decoded.'),
  audio_too_short: invalid(400, 'The decoded recording is shorter than the model accepts.'),
  audio_too_long: invalid(400, 'The decoded recording is longer than the model accepts.'),
  model_not_found: invalid(400, 'There is no model with this id.'),
  model_not_supported: invalid(400, 'The endpoint does not serve this model.'),
  model_retired: invalid(400, 'The model is retired.'),
  diarization_unsupported: invalid(400, 'The model does not support diarization.'),
  vocabulary_unsupported: invalid(400, 'The recogniser in use takes no vocabulary.'),
  invalid_request_id: invalid(400, '`X-Request-ID` is not 1 to 128 visible ASCII characters.'),
  invalid_api_key: rule(
    401,
    'authentication_error',
    'The API key, ticket or token is missing or invalid.',
  ),
  allowance_exhausted: rule(
    402,
    'billing_error',
    'Plan minutes, overage or credits do not cover the request.',
  ),
  paid_plan_required: rule(402, 'billing_error', 'The model requires a paid plan.'),
  storage_quota_exceeded: rule(
    402,
    'billing_error',
    'The storage quota for files or items of batches is exceeded.',
  ),
  model_access_required: rule(
    403,
    'permission_error',
    'The organization has no approved access to the model.',
  ),
  server_only: rule(403, 'permission_error', 'The endpoint cannot be called from a browser.'),
  account_suspended: rule(403, 'permission_error', 'The account is suspended.'),
  not_found: invalid(404, 'There is no resource with this path or id.'),
  session_unavailable: invalid(404, 'Prepared sessions are disabled.'),
  method_not_allowed: invalid(
    405,
    'The path does not support this method; `Allow` lists the supported ones.',
  ),
  upload_timeout: invalid(408, 'The body or the headers were sent too slowly.'),
  request_in_progress: conflict(
    409,
    'A request with this id is in progress, or its outcome is unknown.',
  ),
  request_already_completed: conflict(409, 'The request id is used up.'),
  idempotency_conflict: conflict(409, 'The id or key was used for a different request.'),
  file_in_use: conflict(409, 'The file belongs to a batch that has not ended.'),
  batch_in_progress: conflict(409, 'The batch has not ended.'),
  batch_already_ended: conflict(409, 'The batch has ended.'),
  session_expired: conflict(409, 'The prepared session has expired.'),
  direct_streaming_unavailable: conflict(409, 'Direct streaming is disabled.'),
  body_too_large: invalid(413, 'The body exceeds the limit of the endpoint.'),
  file_too_large: invalid(413, 'The file exceeds the limit of the model.'),
  unsupported_media_type: invalid(
    415,
    'The endpoint does not accept this Content-Type or Content-Encoding.',
  ),
  expectation_failed: invalid(417, '`Expect` must be 100-continue.'),
  upgrade_required: invalid(426, 'The path is a WebSocket and needs an upgrade.'),
  session_capacity_unavailable: conflict(428, 'The prepared session cannot cover the request.'),
  headers_too_large: invalid(431, 'The headers exceed 16 KiB.'),
  upload_busy: limited(
    'The limit of concurrent uploads is reached; send it again with the same id.',
  ),
  model_busy: limited(
    'The limit of concurrent analyses is reached; the id is used up, nothing was charged.',
  ),
  session_busy: limited('The limit of concurrent session set-ups is reached.'),
  rate_limited: limited('A limit of the key, the account or the process is reached.'),
  internal_error: failure(500, 'An internal error occurred.'),
  diarization_upstream_failed: failure(503, 'The diarizer is unavailable.'),
  model_unavailable: failure(503, 'The model is unavailable.'),
  preview_disabled: failure(503, 'The preview is disabled.'),
  setup_unconfirmed: failure(503, 'The set-up could not be confirmed; nothing was analysed.'),
  not_ready: failure(
    503,
    'A dependency of the service is unavailable; send it again with the same id.',
  ),
  timeout: failure(504, 'The answer takes longer than the deadline; the analysis continues.'),
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

/** A failed request as it is stored and reported; the code may be one of another release. */
export interface RequestFailure {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

/** Failures that the audio caused: the same bytes would fail again. */
const audioCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'audio_undecodable',
  'audio_too_short',
  'audio_too_long',
  'unsupported_audio',
]);

export function isFaultOfAudio(code: string): boolean {
  return audioCodes.has(code);
}

/** What was sent, or its account, has caused it, and not the service. */
export function isFaultOfCaller(code: string | null | undefined): boolean {
  return isErrorCode(code) && errorRules[code].status < 500;
}

/** True for a code of the table (the `ApplicationFailure.type` of a failed activity). */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorRules, value);
}
