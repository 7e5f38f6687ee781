// Retries transient errors of object storage that the SDK does not recognise, on connections that
// work, and tells of requests that were repeated without an answer.
import type { Agent } from 'node:http';
import { S3ServiceException, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';

/** Clocks may differ by this much before a signature is rejected. */
const driftMs = 240_000;

/**
 * A gateway that stores objects as files deletes an empty folder with its last object. A put that
 * creates its folder at that moment fails with this code; no key of the service is a prefix of
 * another one. Where it was the folder of the object's metadata, it is an internal error, which the
 * SDK repeats by itself; metadata is stored before the object, so nothing is there by halves.
 */
const folderRemoved = 'ExistingObjectIsDirectory';

/**
 * Makes a client retry after such a put, and when its signature was rejected for its time. The SDK
 * learns the store's clock from each answer, but retries only while the clocks differ, and so not
 * after this machine's clock has just been corrected.
 */
export function retryTransient(client: S3Client): S3Client {
  client.middlewareStack.addRelativeTo(
    <Args, Output>(next: (args: Args) => Promise<Output>) =>
      async (args: Args): Promise<Output> => {
        const assumedMs = client.config.systemClockOffset;
        try {
          return await next(args);
        } catch (error) {
          if (!(error instanceof S3ServiceException)) throw error;
          const jumpMs = Math.abs(client.config.systemClockOffset - assumedMs);
          const clockWasSet = error.$response?.statusCode === 403 && jumpMs > driftMs;
          if (clockWasSet || error.name === folderRemoved) error.$retryable = {};
          throw error;
        }
      },
    { relation: 'before', toMiddleware: 'httpSigningMiddleware', name: 'retryTransient' },
  );
  return client;
}

/**
 * Whether an attempt had no answer in its time. The request that readiness sends is aborted by its
 * time alone; others are by callers who go away, which says nothing of connections.
 */
function isSilence(error: unknown, commandName: string | undefined): boolean {
  const { name } = error as Error;
  return name === 'TimeoutError' || (name === 'AbortError' && commandName === 'HeadBucketCommand');
}

/**
 * Closes the idle connections once an attempt had no answer, as they are older than its silence.
 * What is between may have forgotten all of them and still keep each alive: attempts would take one
 * after the other, and fail while new connections work.
 */
export function closeIdleAfterSilence(client: S3Client, agents: readonly Agent[]): S3Client {
  client.middlewareStack.addRelativeTo(
    <Args, Output>(next: (args: Args) => Promise<Output>, { commandName }: CommandContext) =>
      (args: Args): Promise<Output> =>
        next(args).catch((error: unknown) => {
          if (isSilence(error, commandName)) agents.forEach(closeIdle);
          throw error;
        }),
    { relation: 'before', toMiddleware: 'httpSigningMiddleware', name: 'closeIdleAfterSilence' },
  );
  return client;
}

interface CommandContext {
  readonly commandName?: string;
}

function closeIdle({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

interface Tried {
  readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number };
}

/**
 * Tells of each PUT of which an attempt had no answer, before the PUT returns. Closing a connection
 * does not take back what the kernel has been given: it is sent again until the network works, and
 * the store then writes the object, perhaps after its deletion.
 */
export function reportUnanswered(
  client: S3Client,
  onUnanswered: (key: string) => Promise<void>,
): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const { Key: key } = args.input as Partial<PutObjectCommandInput>;
        if (commandName !== 'PutObjectCommand' || key === undefined) return next(args);
        try {
          const result = await next(args);
          if (wasRepeated(result.output)) await onUnanswered(key);
          return result;
        } catch (error) {
          if (wasRepeated(error as Tried) || !isRejection(error as Tried)) await onUnanswered(key);
          throw error;
        }
      },
    { step: 'initialize', name: 'reportUnanswered' },
  );
}

function wasRepeated({ $metadata }: Tried): boolean {
  return ($metadata?.attempts ?? 1) > 1;
}

function isRejection({ $metadata }: Tried): boolean {
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500;
}
