// Multipart bodies as streams: limits apply while the parts arrive, and the first error wins.
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '../../models/contract/errors.ts';
import { receiveBody, type BodyOptions, type IncomingBody } from './body.ts';
import { brokenMultipart, duplicate, fileTooLarge, invalid } from './form-errors.ts';

export interface MultipartOptions extends Omit<BodyOptions, 'broken'> {
  readonly maxFileBytes: number;
  readonly maxFieldBytes: number;
  /** Fields that may be given more than once: their values are joined by line feeds. */
  readonly repeatable?: readonly string[];
  /** Fields that some clients send as files. */
  readonly textFiles?: readonly string[];
  /** Called with every field as soon as it is known; may lower the limit of the body. */
  readonly onField?: (name: string, value: string) => { readonly maxBodyBytes: number } | null;
}

/** Text fields by name; empty ones count as absent. */
export interface Fields extends ReadonlyMap<string, string> {
  /** Names of fields that exceeded their limit, and of files other than `file`. */
  readonly unusable: ReadonlySet<string>;
  /** Limit of one field. */
  readonly maxFieldBytes: number;
}

export interface MultipartBody<T> {
  readonly fields: Fields;
  /** What `onFile` returned for the part named `file`; null without such a part. */
  readonly file: T | null;
  /** Bytes of the whole body. */
  readonly bytes: number;
}

export interface FilePart {
  /** Aborted when the body fails. */
  readonly signal: AbortSignal;
  /** MIME type that the part declares. */
  readonly mimeType: string;
  /** File name that the part declares; empty without one. */
  readonly filename: string;
}

/** Parts of all kinds, empty ones included: a hundred values of a list, and all other fields. */
const maxParts = 128;
/** Limit of the headers of one part. */
const maxHeaderBytes = 8_192;
const maxHeaderPairs = 32;
/** A part may be as small as eight bytes, so a small slice bounds the work past a limit. */
const sliceBytes = 4_096;

/**
 * Reads the whole body.
 * @param onFile takes the content of the part `file`; its signal aborts when the body fails
 * @throws ServiceError invalid_multipart, duplicate_field, invalid_field, body_too_large, ...
 */
export async function readMultipart<T>(
  options: MultipartOptions,
  onFile: (content: Readable, part: FilePart) => Promise<T>,
): Promise<MultipartBody<T>> {
  const parser = createParser(options);
  const aborter = new AbortController();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const finished = Promise.withResolvers<void>();
  let body: IncomingBody | null = null;
  const fail = (error: unknown): void => {
    body?.stop();
    failure.reject(error);
    aborter.abort(error);
  };
  const form = collectParts(parser, { ...options, fail, signal: aborter.signal, onFile });
  const { onField } = options;
  parser.on('field', (name: string | undefined, value) => {
    const limits = value === '' || name === undefined ? null : onField?.(name, value);
    if (limits) body?.limit(limits.maxBodyBytes);
  });
  parser.on('finish', finished.resolve);
  try {
    body = receiveBody(
      { ...options, broken: brokenMultipart },
      { write: (block) => feed(parser, block, aborter.signal), end: () => parser.end(), fail },
    );
    await Promise.race([finished.promise, failure.promise]);
    const file = await Promise.race([Promise.resolve(form.stored()), failure.promise]);
    return { fields: form.fields, file, bytes: body.bytes };
  } catch (error) {
    fail(error);
    // The upload to storage must have ended before the caller cleans up.
    await form.stored()?.catch(() => {});
    throw error;
  } finally {
    body?.stop();
  }
}

/** Feeds a block in slices until the body has failed. @returns when the parser can take more */
function feed(parser: BusboyInstance, block: Buffer, failed: AbortSignal): Promise<void> | null {
  let takesMore = true;
  for (let at = 0; at < block.length && !failed.aborted; at += sliceBytes) {
    takesMore = parser.write(block.subarray(at, at + sliceBytes));
  }
  return takesMore ? null : new Promise((resolve) => void parser.once('drain', () => resolve()));
}

interface Collecting<T> extends MultipartOptions {
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly onFile: (content: Readable, part: FilePart) => Promise<T>;
}

/** Collects the fields and the one file from the parser. */
function collectParts<T>(
  parser: BusboyInstance,
  { fail, signal, onFile, maxFileBytes, maxFieldBytes, ...named }: Collecting<T>,
): { readonly fields: Fields; stored(): Promise<T> | null } {
  const { repeatable = [], textFiles = [] } = named;
  const unusable = new Set<string>();
  const fields = Object.assign(new Map<string, string>(), { unusable, maxFieldBytes });
  const seen = new Set<string>();
  let stored: Promise<T> | null = null;
  /** Returns false for a part without a name, or with a name that was used before. */
  const isNew = (name: string | undefined): name is string => {
    if (name === undefined) fail(brokenMultipart('a part has no name'));
    else if (seen.has(name)) fail(duplicate(name));
    else {
      seen.add(name);
      return true;
    }
    return false;
  };

  parser.on('field', (name: string | undefined, value, _nameTruncated, truncated) => {
    const repeats = name !== undefined && repeatable.includes(name);
    if (!repeats && !isNew(name)) return;
    if (name === 'file' && value !== '') {
      fail(invalid('file', 'Send `file` as a file, not as text.'));
    } else if (truncated) unusable.add(name);
    else if (value !== '') {
      const before = fields.get(name);
      fields.set(name, before === undefined ? value : `${before}\n${value}`);
    }
  });
  parser.on('file', (name: string | undefined, content, filename, _encoding, mimeType) => {
    // The reader of the content sees its errors; a file without a reader must not throw.
    content.on('error', () => {});
    // The body failed within the same slice: a reader of this part would never see its end.
    if (signal.aborted) return void content.resume();
    if (!isNew(name) || name !== 'file') {
      if (name !== undefined && textFiles.includes(name)) {
        readText(content, maxFieldBytes, (text) =>
          text === null ? unusable.add(name) : fields.set(name, text),
        );
        return;
      }
      if (name !== undefined) unusable.add(name);
      content.resume();
      return;
    }
    content.once('limit', () => fail(fileTooLarge(maxFileBytes, `more than ${maxFileBytes}`)));
    // Without this a reader would wait forever after the body has failed.
    signal.addEventListener('abort', () => content.destroy());
    stored = onFile(content, { signal, mimeType, filename: filename ?? '' });
    stored.catch(fail);
  });
  parser.on('partsLimit', () => fail(brokenMultipart(`it has more than ${maxParts} parts`)));
  parser.on('error', (error) =>
    fail(brokenMultipart(error instanceof Error ? error.message : 'unreadable')),
  );
  return { fields, stored: () => stored };
}

/** @param take gets null for a text that is too long, and nothing for an empty one */
function readText(content: Readable, maxBytes: number, take: (text: string | null) => void): void {
  const blocks: Buffer[] = [];
  let bytes = 0;
  content.on('data', (block: Buffer) => {
    bytes += block.length;
    if (bytes <= maxBytes) blocks.push(block);
  });
  content.once('end', () => {
    if (bytes > 0) take(bytes > maxBytes ? null : Buffer.concat(blocks).toString());
  });
}

/** RFC 7578, 4.2: a file need not have a name. Without a type a part is text. */
function isPartAFile(
  field: string | undefined,
  type = 'text/plain',
  filename: string | undefined,
): boolean {
  if (filename !== undefined || type === 'application/octet-stream') return true;
  return field === 'file' && !type.startsWith('text/');
}

function createParser({
  request: { headers },
  maxFileBytes,
  maxFieldBytes,
}: MultipartOptions): BusboyInstance {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    const got = type === '' ? 'none' : type.slice(0, 100);
    const message = `Content-Type must be multipart/form-data, got ${got}.`;
    throw new ServiceError('unsupported_media_type', message, { param: 'Content-Type' });
  }
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': type },
      isPartAFile,
      limits: {
        // The limit is inclusive, while busboy reports the first byte beyond it.
        fileSize: maxFileBytes,
        fieldSize: maxFieldBytes,
        parts: maxParts,
        headerSize: maxHeaderBytes,
        headerPairs: maxHeaderPairs,
      },
    });
  } catch {
    throw brokenMultipart('its Content-Type has no boundary');
  }
}
