// Why a request was not answered with a result.

export const unreadableCode = 'unreadable_file';

export interface ServiceErrorFields {
  /** HTTP status; 0 when there was no answer, or when the error came over a stream. */
  readonly status: number;
  /**
   * The service's code, such as `audio_too_long`; `unreachable` when there was no answer,
   * `unreadable_file` when the recording could not be read to its end.
   */
  readonly code: string;
  readonly param?: string | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
}

/** The service rejected a request, failed, or could not be reached. */
export class SpeechServiceError extends Error {
  override readonly name = 'SpeechServiceError';
  readonly status: number;
  readonly code: string;
  /** The field that was rejected. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** Whole seconds to wait before another attempt. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, fields: ServiceErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.param = fields.param ?? null;
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }

  /** True when the same request would be rejected again. */
  get isRejection(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

/** The error of an answer that is none of success; a proxy's has no code of the service. */
export async function errorOfResponse(response: Response): Promise<SpeechServiceError> {
  const { status, headers } = response;
  const text = await response.text();
  const { error, detail } = membersOf(parsed(text));
  const retryAfterSeconds = Number(headers.get('retry-after')) || null;
  const fields = { status, requestId: headers.get('x-request-id'), retryAfterSeconds };
  const { code, message, param, request_id: id } = membersOf(error);
  if (typeof code === 'string' && typeof message === 'string') {
    const requestId = textOf(id) ?? fields.requestId;
    return new SpeechServiceError(message, { ...fields, code, param: textOf(param), requestId });
  }
  // Resonance-2 names its errors so.
  const { loc, msg, type } = membersOf(Array.isArray(detail) ? detail[0] : null);
  if (typeof type === 'string' && typeof msg === 'string') {
    const field = Array.isArray(loc) ? String(loc.at(-1) ?? '') : null;
    return new SpeechServiceError(msg, { ...fields, code: type, param: field });
  }
  return new SpeechServiceError(`The service answered ${status}.`, { ...fields, code: 'unknown' });
}

/** The error of a success that is none of the service. */
export function withoutJson({ status, headers }: Response, cause: unknown): SpeechServiceError {
  const fields = { status, code: 'unknown', requestId: headers.get('x-request-id') };
  return new SpeechServiceError(`The service answered ${status} without JSON.`, fields, { cause });
}

/** null for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** None for what is no object. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
