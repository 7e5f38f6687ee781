// Signatures are good for minutes: what a client of object storage does when a clock has been set.
import { S3ServiceException, type S3Client } from '@aws-sdk/client-s3';

/** The store's clock and ours may drift apart by so much before a signature is refused. */
const driftMs = 240_000;

/**
 * Makes a client ask again when its signature was refused for its time. The SDK learns from each
 * answer how far the store's clock is from ours, but takes that for a reason to ask again only
 * where they are apart: not where ours has just been set right.
 */
export function retryAfterClockJump(client: S3Client): S3Client {
  client.middlewareStack.addRelativeTo(
    <Args, Output>(next: (args: Args) => Promise<Output>) =>
      async (args: Args): Promise<Output> => {
        const assumedMs = client.config.systemClockOffset;
        try {
          return await next(args);
        } catch (error) {
          const jumpMs = Math.abs(client.config.systemClockOffset - assumedMs);
          const refused =
            error instanceof S3ServiceException && error.$response?.statusCode === 403;
          if (refused && jumpMs > driftMs) error.$retryable = {};
          throw error;
        }
      },
    { relation: 'before', toMiddleware: 'httpSigningMiddleware', name: 'retryAfterClockJump' },
  );
  return client;
}
