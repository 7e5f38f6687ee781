// What of object storage passes by itself, which the SDK cannot know: it is asked again.
import { S3ServiceException, type S3Client } from '@aws-sdk/client-s3';

/** The store's clock and ours may drift apart by so much before a signature is refused. */
const driftMs = 240_000;

/**
 * A gateway that keeps objects as files takes an empty folder away with its last object. A put that
 * makes its folder in that moment is refused by this code; no key of ours is another one's folder.
 */
const folderRemoved = 'ExistingObjectIsDirectory';

/**
 * Makes a client ask again after such a put, and when its signature was refused for its time. The
 * SDK learns from each answer how far the store's clock is from ours, but takes that for a reason
 * to ask again only where they are apart: not where ours has just been set right.
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
