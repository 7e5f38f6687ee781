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

interface Envelope {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
    readonly request_id: string | null;
  };
  /** Resonance-2 names its errors so. */
  readonly detail?: readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[];
}

/** The error of an answer that is none of success; a proxy's page has no code of the service. */
export async function errorOfResponse(response: Response): Promise<SpeechServiceError> {
  const { status, headers } = response;
  const text = await response.text();
  const { error, detail } = envelopeOf(text);
  const fields = {
    status,
    requestId: error?.request_id ?? headers.get('x-request-id'),
    retryAfterSeconds: Number(headers.get('retry-after')) || null,
  };
  if (error) {
    const { code, message, param } = error;
    return new SpeechServiceError(message, { ...fields, code, param });
  }
  const [first] = detail ?? [];
  if (first) {
    const param = String(first.loc.at(-1) ?? '');
    return new SpeechServiceError(first.msg, { ...fields, code: first.type, param });
  }
  return new SpeechServiceError(`The service answered ${status}.`, { ...fields, code: 'unknown' });
}

/** The error of a success that is none of the service. */
export function withoutJson({ status, headers }: Response, cause: unknown): SpeechServiceError {
  const fields = { status, code: 'unknown', requestId: headers.get('x-request-id') };
  return new SpeechServiceError(`The service answered ${status} without JSON.`, fields, { cause });
}

function envelopeOf(text: string): Envelope {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
