// The file of an upload: recognised by its first bytes, hashed and counted on its way to one
// object.
import type { Readable } from 'node:stream';
import { newUploadKey } from '../../db/object-keys.ts';
import { registerObject } from '../../db/object-rows.ts';
import {
  containerOfRaw,
  rawSamplesOf,
  sniffBytes,
  sniffContainer,
} from '../../models/audio/container.ts';
import { isRaw, namesOf, type Container } from '../../models/contract/containers.ts';
import type { UploadedAudio } from '../../models/contract/recording-request.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { OwnedObjects, ObjectStores } from './owned-objects.ts';

export interface OwnedUpload extends UploadedAudio {
  readonly sha256: string;
  /** Owns the object. */
  readonly owner: OwnedObjects;
}

export interface UploadSink extends ObjectStores {
  readonly owner: OwnedObjects;
  readonly organizationId: string;
  readonly signal: AbortSignal;
  /** MIME type that the part declares. */
  readonly mimeType: string;
  /**
   * What the model takes that was asked for, where its field precedes the file; otherwise what any
   * of the endpoint takes. Samples without a container only when their type declares them.
   */
  readonly asked: readonly Container[];
}

/**
 * Streams the file to storage, under a key that is owned before anything is written.
 * @throws ServiceError unsupported_audio, missing_file, or why the body failed
 */
export async function storeUpload(content: Readable, sink: UploadSink): Promise<OwnedUpload> {
  const { db, objects, owner, organizationId, signal } = sink;
  const source: AsyncIterator<Buffer> = content[Symbol.asyncIterator]();
  const { head, container } = await readHead(source, sink).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  const key = newUploadKey(organizationId);
  owner.own(key);
  await registerObject(db, { key, organizationId, kind: 'upload' });
  try {
    const stored = await objects.putStream(key, joined(head, source), { signal });
    return { key, container, owner, ...stored };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

async function readHead(
  source: AsyncIterator<Buffer>,
  { mimeType, asked }: Pick<UploadSink, 'mimeType' | 'asked'>,
): Promise<{ head: Buffer; container: Container }> {
  const blocks: Buffer[] = [];
  let length = 0;
  while (length < sniffBytes) {
    const next = await source.next();
    if (next.done) break;
    blocks.push(next.value);
    length += next.value.length;
  }
  if (length === 0) {
    throw new ServiceError('missing_file', 'The file is empty.', { param: 'file' });
  }
  const head = Buffer.concat(blocks);
  const raw = asked.some(isRaw) ? rawSamplesOf(mimeType) : null;
  if (raw) rejectContainer(head);
  const container = raw ?? sniffContainer(head.subarray(0, sniffBytes));
  if (container) return { head, container };
  const types = asked.filter(isRaw);
  const untyped = types.length > 0 ? `, and its part is not typed ${namesOf(types)}` : '';
  const message = `The file is not ${namesOf(asked.filter((each) => !isRaw(each)))}${untyped}.`;
  throw new ServiceError('unsupported_audio', message, { param: 'file' });
}

/** Samples within a container are not the raw samples that their MIME type declares. */
function rejectContainer(head: Buffer): void {
  const container = containerOfRaw(head.subarray(0, sniffBytes));
  if (!container) return;
  const message =
    `The MIME type of the file declares raw samples, but its content is ${container}; ` +
    'omit the type, or send the samples alone.';
  throw new ServiceError('unsupported_audio', message, { param: 'file' });
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
