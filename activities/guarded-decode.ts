// Bounds on decoding that yields nothing: attempts per recording, and decoder time per
// organization.
import {
  beginDecode,
  countFailedDecode,
  decodeStatus,
  endDecode,
  failedDecodeBudget,
  quarantine,
} from '../db/decodes.ts';
import type { Db } from '../db/database.ts';
import type { RequestRef } from '../db/request-ref.ts';
import { budgetError, verdictError } from '../models/contract/decode-errors.ts';
import { createRecentSet } from '../models/concurrency/recent-set.ts';
import type { AnalyzeRecordingInput } from '../workflows/types.ts';
import { createDecodeTrials } from './decode-trials.ts';
import { DecodeRejected, DecoderDied, undecodable } from './decoder/decode-error.ts';

/** The first crash may have another cause than the recording. */
const maxAttempts = 2;
/** A rejection that took longer than this is remembered, as if its decoder had been killed. */
const expensiveSeconds = 1;

export interface GuardedFile {
  readonly ref: RequestRef;
  /** Identities of the file: the hash of its bytes, the key of its object. */
  readonly contents: readonly string[];
}

type NamedUpload = Pick<AnalyzeRecordingInput, 'batch'> & {
  readonly upload: Pick<AnalyzeRecordingInput['upload'], 'key' | 'sha256'>;
};

/**
 * Identities of an upload: the hash of its bytes when it is known, and its object when that is
 * kept.
 */
export function contentsOf({ upload, batch }: NamedUpload): readonly string[] {
  const { key, sha256 } = upload;
  return [...(sha256 ? [`sha256:${sha256}`] : []), ...(batch ? [`object:${key}`] : [])];
}

/**
 * @throws ServiceError with the stored verdict when the file has killed its decoder before, or
 * rate_limited when undecodable files have used up the organization's decoding budget
 */
export async function assertDecodable(db: Db, { ref, contents }: GuardedFile): Promise<void> {
  const { verdict, waitSeconds } = await decodeStatus(db, ref.organizationId, contents);
  if (verdict) throw verdictError(verdict);
  if (waitSeconds !== null) throw budgetError(failedDecodeBudget, waitSeconds);
}

/** Per process: a file with a known hash is decoded once before it is decoded in parallel. */
const trials = createDecodeTrials();

/** Work whose decoder may die. @param decoderEnded may be called before what follows the decoder */
type Decode<T> = (decoderEnded: () => void) => Promise<T>;

/** @throws as `assertDecodable` and `decode` */
export function guardDecode<T>(db: Db, file: GuardedFile, decode: Decode<T>): Promise<T> {
  const { ref, contents } = file;
  const work = (): Promise<T> => decodeTwice(db, file, decode);
  const [content] = contents;
  if (content === undefined) return work();
  return trials.run(`${ref.organizationId} ${content}`, {
    work,
    beforeWork: () => assertDecodable(db, file),
    isHarmful: (error) => !(error instanceof DecodeRejected) || isExpensive(error),
  });
}

/** By request: decodes started in this process since the last one whose end was recorded. */
const ownStarts = createRecentSet(10_000);

/**
 * Decodes, and decodes again after a crash of the decoder, but no more than twice over all
 * processes and crashes of them. Fruitless CPU time is charged, and a file that kills decoders is
 * quarantined. An end that could not be recorded, because the database was unreachable, is not a
 * crash.
 */
async function decodeTwice<T>(db: Db, file: GuardedFile, decode: Decode<T>): Promise<T> {
  const { ref } = file;
  const name = `${ref.organizationId} ${ref.requestId} ${ref.attempt}`;
  const end = async (): Promise<void> => {
    await endDecode(db, ref);
    ownStarts.delete(name);
  };
  for (let crashes = 0; ;) {
    try {
      const own = ownStarts.add(name);
      // Recorded before anything is decoded, so that it survives this process.
      const begun = await beginDecode(db, ref);
      if (begun - own + crashes >= maxAttempts) throw crashedTwice;
      let ended: Promise<void> | undefined;
      const decoded = await decode(() => {
        ended = end();
        // It is awaited below, or recorded again after a failure.
        ended.catch(() => {});
      });
      await (ended ?? end());
      return decoded;
    } catch (error) {
      if (error instanceof DecoderDied) crashes += 1;
      const again = error instanceof DecoderDied && crashes < maxAttempts;
      if (error instanceof DecodeRejected)
        await recordFailure(db, file, { rejected: error, again });
      if (again) continue;
      await end();
      throw error;
    }
  }
}

const crashedTwice = new DecodeRejected(
  undecodable('its decoder was lost twice', { killed: true }),
);

async function recordFailure(
  db: Db,
  { ref, contents }: GuardedFile,
  { rejected, again }: { readonly rejected: DecodeRejected; readonly again: boolean },
): Promise<void> {
  const { organizationId } = ref;
  const { code, message, cpuSeconds } = rejected;
  await countFailedDecode(db, organizationId, cpuSeconds);
  // A limit of the model says nothing about the file, and a crash may have another cause.
  if (again || code !== 'audio_undecodable' || contents.length === 0) return;
  if (!isExpensive(rejected)) return;
  await quarantine(db, organizationId, { contents, verdict: { code, message } });
}

function isExpensive({ killed, cpuSeconds }: DecodeRejected): boolean {
  return killed || cpuSeconds >= expensiveSeconds;
}
