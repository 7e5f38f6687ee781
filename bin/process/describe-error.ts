// An error in a log: what went wrong and where, along its causes, and nothing else of it.

export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** Of the answer of an object storage. */
  readonly status?: number;
  /** Without the message. */
  readonly stack: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

interface AnyError {
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

const maxDepth = 5;
const maxErrors = 5;

/**
 * Clients of databases and stores attach requests and answers to their errors, with credentials and
 * words in them, so only the listed members are logged. A value that is not an error is logged as
 * it is.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { code, $metadata } = error as AnyError;
  // All that AWS's client has of an answer without a body, as that to a HEAD is.
  const status = $metadata?.httpStatusCode;
  const inner = error instanceof AggregateError ? error.errors.slice(0, maxErrors) : [];
  const deeper = depth < maxDepth;
  return {
    type: error.name,
    message: messageOf(error),
    ...(typeof status === 'number' && { status }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: framesOf(error),
    ...(error.cause !== undefined && deeper && { cause: describeError(error.cause, depth + 1) }),
    ...(inner.length > 0 &&
      deeper && { errors: inner.map((each) => describeError(each, depth + 1)) }),
  } satisfies DescribedError;
}

/** A parser's error quotes its input, which may be a transcript; Node's the address of a proxy. */
function messageOf({ name, message }: Error): string {
  const quoted = name === 'SyntaxError' ? message.replace(/"[\s\S]*"/, '"…"') : message;
  return quoted.replaceAll(/\/\/[^\s/:@]*:[^\s/@]*@/g, '//…@');
}

/** The stack repeats the message, which is logged already. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.indexOf('\n    at ');
  return frames < 0 ? '' : stack.slice(frames + 1);
}

/** For a terminal: the message with those of its causes, each said once. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = messageOf(error);
  const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  const cause = inner instanceof Error ? reasonOf(inner) : '';
  if (message === '' || cause === '' || says(message, inner)) return message || cause;
  return cause.startsWith(message) ? cause : `${message} (${cause})`;
}

/** Whether the message has the reason already, be it behind a cause that says less. */
function says(message: string, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error.message !== '' && message.includes(error.message)) || says(message, error.cause);
}
