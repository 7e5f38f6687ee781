// Multipart bodies, streamed: parts as they come, limits while they come, the first error wins.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '../../models/errors.ts';
import { watchUpload, type UploadDeadlines } from './deadlines.ts';

export interface MultipartLimits {
  readonly maxBodyBytes: number;
  readonly maxFileBytes: number;
  readonly maxFieldBytes: number;
  readonly deadlines: UploadDeadlines;
}

/** Text fields by name. */
export type Fields = ReadonlyMap<string, string>;

export interface MultipartBody<T> {
  readonly fields: Fields;
  /** What `onFile` made of the part named `file`, or null when there was none. */
  readonly file: T | null;
  /** Bytes of the whole body. */
  readonly bytes: number;
}

export interface FilePart {
  /** Aborted when the body fails. */
  readonly signal: AbortSignal;
  /** As declared. */
  readonly mimeType: string;
  /** As declared; empty without one. */
  readonly filename: string;
}

const maxFields = 64;
const maxFieldNameBytes = 128;

/**
 * Reads the whole body.
 * @param onFile takes the content of the part `file`; aborted by its signal when the body fails
 * @throws ServiceError invalid_multipart, duplicate_field, invalid_field, body_too_large, ...
 */
export async function readMultipart<T>(
  request: IncomingMessage,
  limits: MultipartLimits,
  onFile: (content: Readable, part: FilePart) => Promise<T>,
): Promise<MultipartBody<T>> {
  const parser = createParser(request, limits);
  const fields = new Map<string, string>();
  const aborter = new AbortController();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const fail = (error: unknown): void => {
    failure.reject(error);
    aborter.abort(error);
  };
  let files = 0;
  let stored: Promise<T> | null = null;

  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) fail(fieldTooLong(name, limits.maxFieldBytes));
    else if (name === 'file') fail(invalid('file', 'Send `file` as a file, not as text.'));
    else if (fields.has(name)) fail(duplicate(name));
    else fields.set(name, value);
  });
  parser.on('file', (name, content, filename, _encoding, mimeType) => {
    files += 1;
    // Whoever reads the content sees its errors; a file that nobody reads must not throw.
    content.on('error', () => {});
    content.once('limit', () => fail(fileTooLarge(limits.maxFileBytes)));
    if (files > 1 || fields.has(name)) {
      fail(duplicate(name));
      content.resume();
    } else if (name !== 'file') {
      // Read on: the error says `file` is missing, or that there are two files.
      fields.set(name, '');
      content.resume();
    } else {
      // A reader that waits for more would wait for ever once the body has failed.
      aborter.signal.addEventListener('abort', () => content.destroy());
      stored = onFile(content, { signal: aborter.signal, mimeType, filename: filename ?? '' });
      stored.catch(fail);
    }
  });
  parser.on('partsLimit', () => fail(broken('it has too many parts')));
  parser.on('fieldsLimit', () => fail(broken(`it has more than ${maxFields} fields`)));
  parser.on('error', (error) =>
    fail(broken(error instanceof Error ? error.message : 'unreadable')),
  );
  const finished = new Promise<void>((resolve) => void parser.on('finish', resolve));

  const clock = watchUpload(limits.deadlines, fail);
  const received = pump(request, parser, { limits, clock, fail });
  try {
    await Promise.race([finished, failure.promise]);
    const file = await Promise.race([Promise.resolve(stored), failure.promise]);
    return { fields, file, bytes: received() };
  } catch (error) {
    // The store must have let go of the object before the caller cleans up.
    await (stored as Promise<T> | null)?.catch(() => {});
    throw error;
  } finally {
    clock.stop();
    request.removeAllListeners('data');
    parser.on('error', () => {});
  }
}

function createParser(
  request: IncomingMessage,
  { maxFileBytes, maxFieldBytes }: MultipartLimits,
): BusboyInstance {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    const got = type === '' ? 'none' : type.slice(0, 100);
    const message = `Content-Type must be multipart/form-data, got ${got}.`;
    throw new ServiceError('unsupported_media_type', message, { param: 'Content-Type' });
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: {
        files: 4,
        // Inclusive: busboy reports the first byte beyond.
        fileSize: maxFileBytes,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fieldNameSize: maxFieldNameBytes,
      },
    });
  } catch {
    throw broken('its Content-Type has no boundary');
  }
}

interface PumpOptions {
  readonly limits: MultipartLimits;
  readonly clock: { received(bytes: number): void };
  readonly fail: (error: unknown) => void;
}

/**
 * Body to parser, with back-pressure, a byte limit and the client's disconnect as an error.
 * @returns how many bytes have come
 */
function pump(
  request: IncomingMessage,
  parser: BusboyInstance,
  { limits, clock, fail }: PumpOptions,
): () => number {
  let bytes = 0;
  request.on('data', (block: Buffer) => {
    bytes += block.length;
    clock.received(block.length);
    if (bytes > limits.maxBodyBytes) {
      request.removeAllListeners('data');
      return fail(bodyTooLarge(limits.maxBodyBytes, `more than ${limits.maxBodyBytes}`));
    }
    if (!parser.write(block)) {
      request.pause();
      parser.once('drain', () => request.resume());
    }
  });
  request.once('end', () => parser.end());
  request.once('close', () => {
    if (!request.complete) fail(broken('the connection closed before its end'));
  });
  request.once('error', fail);
  return () => bytes;
}

/** The refusal of a declared or counted body size. */
export function bodyTooLarge(maxBytes: number, received: number | string): ServiceError {
  const message = `The request body may have ${maxBytes} bytes, it has ${received}.`;
  return new ServiceError('body_too_large', message);
}

export function fileTooLarge(maxBytes: number): ServiceError {
  const message = `The file may have ${maxBytes} bytes; more were sent.`;
  return new ServiceError('file_too_large', message, { param: 'file' });
}

function duplicate(name: string): ServiceError {
  const message = `\`${name}\` was given twice, or more than one file was sent.`;
  return new ServiceError('duplicate_field', message, { param: name });
}

/** The refusal of a field's value. */
export function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_field', message, { param });
}

function fieldTooLong(name: string, maxBytes: number): ServiceError {
  return invalid(name.slice(0, 64), `A field may have ${maxBytes} bytes of text.`);
}

function broken(reason: string): ServiceError {
  return new ServiceError('invalid_multipart', `The multipart body cannot be read: ${reason}.`);
}
