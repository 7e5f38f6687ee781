// Every error code that leaves the service, with its HTTP status and envelope type: the one table.

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
}

const invalid = (status: number): ErrorRule => ({ status, type: 'invalid_request_error' });
const conflict = (status: number): ErrorRule => ({ status, type: 'conflict_error' });
const limited: ErrorRule = { status: 429, type: 'rate_limit_error' };
const failure = (status: number): ErrorRule => ({ status, type: 'api_error' });

/** Code -> status and type. */
export const errorRules = {
  missing_file: invalid(400),
  missing_field: invalid(400),
  invalid_field: invalid(400),
  unknown_field: invalid(400),
  duplicate_field: invalid(400),
  invalid_json: invalid(400),
  invalid_multipart: invalid(400),
  unsupported_audio: invalid(400),
  audio_undecodable: invalid(400),
  audio_too_short: invalid(400),
  audio_too_long: invalid(400),
  model_not_found: invalid(400),
  model_not_supported: invalid(400),
  model_retired: invalid(400),
  diarization_unsupported: invalid(400),
  invalid_request_id: invalid(400),
  invalid_api_key: { status: 401, type: 'authentication_error' },
  allowance_exhausted: { status: 402, type: 'billing_error' },
  paid_plan_required: { status: 402, type: 'billing_error' },
  storage_quota_exceeded: { status: 402, type: 'billing_error' },
  model_access_required: { status: 403, type: 'permission_error' },
  server_only: { status: 403, type: 'permission_error' },
  account_suspended: { status: 403, type: 'permission_error' },
  not_found: invalid(404),
  session_unavailable: invalid(404),
  method_not_allowed: invalid(405),
  upload_timeout: invalid(408),
  request_in_progress: conflict(409),
  request_already_completed: conflict(409),
  idempotency_conflict: conflict(409),
  file_in_use: conflict(409),
  batch_in_progress: conflict(409),
  batch_already_ended: conflict(409),
  session_expired: conflict(409),
  direct_streaming_unavailable: conflict(409),
  body_too_large: invalid(413),
  file_too_large: invalid(413),
  unsupported_media_type: invalid(415),
  expectation_failed: invalid(417),
  upgrade_required: invalid(426),
  session_capacity_unavailable: conflict(428),
  headers_too_large: invalid(431),
  upload_busy: limited,
  model_busy: limited,
  session_busy: limited,
  rate_limited: limited,
  internal_error: failure(500),
  diarization_upstream_failed: failure(503),
  model_unavailable: failure(503),
  preview_disabled: failure(503),
  setup_unconfirmed: failure(503),
  not_ready: failure(503),
  timeout: failure(504),
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof errorRules;

export interface ServiceErrorDetails {
  /** The request field or header that is at fault. */
  readonly param?: string | undefined;
  /** Where it stands, when that is neither the body nor a header. */
  readonly place?: 'query' | undefined;
  /** Whole seconds, >= 1; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** An error that a caller may see: the message says what was wrong, what is allowed, what came. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly place: 'query' | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.param = details.param ?? null;
    this.place = details.place ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }

  get status(): number {
    return errorRules[this.code].status;
  }

  get type(): ErrorType {
    return errorRules[this.code].type;
  }
}

/** True for a code of the table (what crosses Temporal as `ApplicationFailure.type`). */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorRules, value);
}
