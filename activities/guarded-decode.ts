// The bounds of work that gives nothing: attempts per recording, decoder time per organization.
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
import { ServiceError, isErrorCode } from '../models/contract/errors.ts';
import { createDecodeTrials } from './decode-trials.ts';
import { DecodeError, DecodeRejected, DecoderDied } from './decoder/decode-error.ts';

/** A crash may be somebody else's doing once. */
const maxAttempts = 2;
/** Refusals that took longer are remembered like those of decoders that had to be ended. */
const expensiveSeconds = 1;

export interface GuardedFile {
  readonly ref: RequestRef;
  /** What the file is known by: the hash of its bytes, the key of its object. */
  readonly contents: readonly string[];
}

/**
 * @throws ServiceError with the verdict of a file that ended its decoder before; rate_limited when
 * the organization's files have cost too much for nothing
 */
export async function assertDecodable(db: Db, { ref, contents }: GuardedFile): Promise<void> {
  const { verdict, waitSeconds } = await decodeStatus(db, ref.organizationId, contents);
  if (verdict) {
    const code = isErrorCode(verdict.code) ? verdict.code : 'audio_undecodable';
    throw new ServiceError(code, verdict.message, { param: 'file' });
  }
  if (waitSeconds === null) return;
  const { seconds, windowSeconds } = failedDecodeBudget;
  throw new ServiceError(
    'rate_limited',
    `Files that could not be decoded took ${seconds} seconds of decoding in ` +
      `${windowSeconds / 60} minutes, which is all that is allowed; ` +
      `try again in ${waitSeconds} seconds.`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** Of this process: a file whose hash is known is decoded once before it is decoded many times. */
const trials = createDecodeTrials();

/** @throws as `assertDecodable` and `decode` */
export function guardDecode<T>(db: Db, file: GuardedFile, decode: () => Promise<T>): Promise<T> {
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

/**
 * Decodes, again where the decoder crashed, but no more than twice over all processes and crashes
 * of them. What it costs without result is counted, and a file that ends decoders is remembered.
 */
async function decodeTwice<T>(db: Db, file: GuardedFile, decode: () => Promise<T>): Promise<T> {
  const { ref } = file;
  for (let startedAttempts = 0; ;) {
    try {
      // Written before anything is decoded: it outlives this process.
      startedAttempts = await beginDecode(db, ref);
      if (startedAttempts > maxAttempts) throw crashedTwice;
      const decoded = await decode();
      await endDecode(db, ref);
      return decoded;
    } catch (error) {
      const again = error instanceof DecoderDied && startedAttempts < maxAttempts;
      if (error instanceof DecodeRejected)
        await recordFailure(db, file, { rejected: error, again });
      if (again) continue;
      await endDecode(db, ref);
      throw error;
    }
  }
}

const crashedTwice = new DecodeRejected(
  new DecodeError('audio_undecodable', 'The audio cannot be decoded: its decoder was lost twice.', {
    killed: true,
  }),
);

async function recordFailure(
  db: Db,
  { ref, contents }: GuardedFile,
  { rejected, again }: { readonly rejected: DecodeRejected; readonly again: boolean },
): Promise<void> {
  const { organizationId } = ref;
  const { code, message, cpuSeconds } = rejected;
  await countFailedDecode(db, organizationId, cpuSeconds);
  // A limit of the model is not the file's, and a crash may be somebody else's doing.
  if (again || code !== 'audio_undecodable' || contents.length === 0) return;
  if (!isExpensive(rejected)) return;
  await quarantine(db, organizationId, { contents, verdict: { code, message } });
}

function isExpensive({ killed, cpuSeconds }: DecodeRejected): boolean {
  return killed || cpuSeconds >= expensiveSeconds;
}
