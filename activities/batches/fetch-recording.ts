// The first activity of a recording that has an address instead of a file: fetches and stores it.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadOf } from '../../db/file-contents.ts';
import { deleteObjectRows, registerObject } from '../../db/object-rows.ts';
import { newUploadKey } from '../../db/object-keys.ts';
import { sourceCredentials } from '../../db/source-credentials.ts';
import { findItemFile, storeFetched } from '../../db/source-files.ts';
import { StorageQuotaExceeded } from '../../db/storage-quota.ts';
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import { namesOf, selfDescribing, type Container } from '../../models/contract/containers.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { UploadedAudio } from '../../models/contract/recording-request.ts';
import { commonModels, limitsOf } from '../../models/contract/served-models.ts';
import type { FetchRecordingInput } from '../../workflows/types.ts';
import { withFolder } from '../decoder/process-folder.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { fileGone } from '../failures.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { createKeyedMutex } from '../../models/concurrency/keyed-mutex.ts';
import { withFairSlot } from '../activity-slot.ts';
import { itemReport } from './report-item.ts';
import { requireActiveBatchAccount } from './batch-recording.ts';

const param = 'source.url';
/** As for uploads of files. */
const maxBytes = Math.max(...commonModels.map((id) => limitsOf(id).maxFileBytes));

/** Per process: items that name the same file wait for the first of them. */
const byFile = createKeyedMutex();

/**
 * May run several times: the object is new each time, and the first to give it to the file's row
 * wins.
 */
export function fetchRecording(
  dependencies: ActivityDependencies,
  input: FetchRecordingInput,
): Promise<UploadedAudio> {
  return runActivity(async (run) => {
    const { organizationId, batch } = input;
    await requireActiveBatchAccount(dependencies, input);
    const options = { diarize: false };
    await itemReport(dependencies, { batch, options }, { stage: 'fetching' })(0);
    const fetch = (): Promise<UploadedAudio> => fetchInPlace(dependencies, input, run);
    const body = (): Promise<UploadedAudio> => byFile.run(input.remote.fileId, fetch, run.signal);
    return withFairSlot(dependencies.fetchers, organizationId, { run, body });
  });
}

async function fetchInPlace(
  dependencies: ActivityDependencies,
  { organizationId, remote: { fileId } }: FetchRecordingInput,
  run: ActivityRun,
): Promise<UploadedAudio> {
  const { db, temporaryDirectory } = dependencies;
  const file = await findItemFile(db, fileId);
  const known = file && uploadOf(file);
  if (known) return known;
  if (!file?.sourceUrl) throw fileGone(param);
  const url = new URL(file.sourceUrl);
  return withFolder(temporaryDirectory, async (folder) => {
    const path = join(folder, 'source');
    await dependencies.fetchSource({
      url,
      credentials: await sourceCredentials(db, dependencies.secretBox, organizationId),
      path,
      maxBytes,
      signal: run.signal,
      onProgress: (bytes) => run.report({ fetchedBytes: bytes }),
    });
    return storeFile(dependencies, { organizationId, fileId, path }, run);
  });
}

interface FetchedPath {
  readonly organizationId: string;
  readonly fileId: string;
  readonly path: string;
}

async function storeFile(
  { db, objects }: ActivityDependencies,
  { organizationId, fileId, path }: FetchedPath,
  { signal }: ActivityRun,
): Promise<UploadedAudio> {
  const container = await containerOf(path);
  const objectKey = newUploadKey(organizationId);
  await registerObject(db, { key: objectKey, organizationId, kind: 'upload' });
  let mayBeOwned = false;
  try {
    const body = createReadStream(path) as AsyncIterable<Buffer>;
    const audio = { container, ...(await objects.putStream(objectKey, body, { signal })) };
    const fetched = { id: fileId, organizationId, objectKey, audio };
    // A commit whose answer is lost may have given the object to the file.
    mayBeOwned = true;
    const isOwned = await storeFetched(db, fetched).catch((error: unknown) => {
      mayBeOwned = !(error instanceof StorageQuotaExceeded);
      return asServiceError(error);
    });
    if (isOwned) return { key: objectKey, ...audio };
    mayBeOwned = false;
  } finally {
    // What is not deleted now has a row, by which it is swept.
    if (!mayBeOwned) await discard({ db, objects }, objectKey).catch(() => {});
  }
  const winner = await findItemFile(db, fileId);
  const upload = winner && uploadOf(winner);
  if (!upload) throw fileGone(param);
  return upload;
}

async function discard(
  { db, objects }: Pick<ActivityDependencies, 'db' | 'objects'>,
  key: string,
): Promise<void> {
  await objects.delete([key]);
  await deleteObjectRows(db, [key]);
}

function asServiceError(error: unknown): never {
  if (!(error instanceof StorageQuotaExceeded)) throw error;
  throw new ServiceError('storage_quota_exceeded', error.message, { param, cause: error });
}

/** @throws ServiceError unsupported_audio, missing_file */
async function containerOf(path: string): Promise<Container> {
  if ((await stat(path)).size === 0) {
    throw new ServiceError('missing_file', '`source` is empty.', { param });
  }
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
    const container = sniffContainer(buffer.subarray(0, bytesRead));
    if (container) return container;
  } finally {
    await file.close();
  }
  const message = `What \`source\` gives is not ${namesOf(selfDescribing)}.`;
  throw new ServiceError('unsupported_audio', message, { param });
}
