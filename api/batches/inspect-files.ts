// Inspects presigned uploads that a new batch names: the service reads their first bytes.
import { describeFiles, type InspectedFile } from '../../db/file-contents.ts';
import { eachLimited } from '../../models/concurrency/each-limited.ts';
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import { namesOf, selfDescribing } from '../../models/contract/containers.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { UploadedAudio } from '../../models/contract/recording-request.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { uploadLimits } from '../upload/receive.ts';
import type { BatchDependencies } from './dependencies.ts';

/** Of the client's 64 connections to storage. */
const readsAtOnce = 16;
/** Of one statement; and what is lost if the process ends. */
const filesAtOnce = 250;

export interface UnseenFile {
  readonly id: string;
  readonly key: string;
  /** The field that named it first. */
  readonly param: string;
}

type Inspector = Pick<BatchDependencies, 'db' | 'objects'>;

/**
 * @param files each once, in the order in which they are named
 * @returns their recordings by the id of the file
 * @throws ServiceError for the first file without a recording; what was found of others is stored
 */
export async function inspectFiles(
  { db, objects }: Inspector,
  files: readonly UnseenFile[],
): Promise<ReadonlyMap<string, UploadedAudio>> {
  const uploads = new Map<string, UploadedAudio>();
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const found: InspectedFile[] = [];
    /** By position: the first to fail need not be the first that was named. */
    const errors: unknown[] = [];
    const some = files.slice(at, at + filesAtOnce);
    const inspected = eachLimited([...some.entries()], readsAtOnce, async ([i, file]) => {
      const audio = await inspectFile(objects, file).catch((error: unknown) => {
        errors[i] = error;
        throw error;
      });
      uploads.set(file.id, { key: file.key, ...audio });
      found.push({ id: file.id, ...audio });
    });
    const [outcome] = await Promise.allSettled([inspected]);
    await describeFiles(db, found);
    if (outcome.status === 'rejected') throw errors.find((error) => error !== undefined);
  }
  return uploads;
}

async function inspectFile(
  objects: Inspector['objects'],
  { key, param }: UnseenFile,
): Promise<Pick<UploadedAudio, 'container' | 'bytes'>> {
  const invalidFile = (message: string): ServiceError =>
    new ServiceError('invalid_field', `\`${param}\`: ${message}.`, { param });
  const object = await objects.readStart(key, sniffBytes);
  if (object === null) throw invalidFile('the file has not been uploaded yet');
  const { bytes, start } = object;
  const { maxFileBytes } = uploadLimits(...commonModels);
  if (bytes === 0 || bytes > maxFileBytes)
    throw invalidFile(`the file has ${bytes} bytes, allowed are 1 to ${maxFileBytes}`);
  const container = sniffContainer(start);
  if (container) return { container, bytes };
  const message = `\`${param}\`: the file is not ${namesOf(selfDescribing)}.`;
  throw new ServiceError('unsupported_audio', message, { param });
}
