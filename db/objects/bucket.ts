// Prepares a bucket: creates it, and sets the lifecycle rules that delete orphans.
import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  S3ServiceException,
  type LifecycleRule,
  type S3Client,
} from '@aws-sdk/client-s3';

/** The prefixes of all objects of the service; the bucket may be shared with others. */
export const ownPrefixes = ['uploads/', 'work/', 'results/', 'batches/'] as const;

/** Creates the bucket if it is missing, in the client's region. @returns whether it was created */
export async function ensureBucket(client: S3Client, bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return false;
  } catch {
    // The SDK adds the region, which AWS requires, except of us-east-1.
    return client.send(new CreateBucketCommand({ Bucket: bucket })).then(
      () => true,
      (error: unknown) => {
        const name = error instanceof Error ? error.name : '';
        if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(name)) throw error;
        return false;
      },
    );
  }
}

const ownRules = 'svc-';
/** Longer than any run may take, days of a service that is switched off included. */
const workDays = 8;

/**
 * A fallback for the sweeper of a service that no longer runs: deletes incomplete multipart uploads
 * and working objects. Files and results of customers are never affected, nor are keys of others.
 */
const rules: readonly LifecycleRule[] = [
  ...ownPrefixes.map((prefix) => ({
    ID: `${ownRules}abort-${prefix.slice(0, -1)}`,
    Status: 'Enabled' as const,
    Filter: { Prefix: prefix },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  })),
  ...['work/', 'results/'].map((prefix) => ({
    ID: `${ownRules}expire-${prefix.slice(0, -1)}`,
    Status: 'Enabled' as const,
    Filter: { Prefix: prefix },
    Expiration: { Days: workDays },
  })),
];

export type LifecycleChange = 'set' | 'kept' | 'unsupported';

/** The credentials are valid, and do not allow an action. */
export class ActionDenied extends Error {
  override readonly name = 'ActionDenied';
  /** As policies name it. */
  readonly action: string;

  constructor(action: string, cause: unknown) {
    super(`${action} is denied`, { cause });
    this.action = action;
  }
}

/** Sets the service's rules and keeps those of others. @returns the outcome @throws ActionDenied */
export async function ensureLifecycle(client: S3Client, bucket: string): Promise<LifecycleChange> {
  try {
    const found = await rulesOf(client, bucket);
    const isOwn = ({ ID = '' }: LifecycleRule): boolean => ID.startsWith(ownRules);
    if (describe(found.filter(isOwn)) === describe(rules)) return 'kept';
    const Rules = [...found.filter((rule) => !isOwn(rule)), ...rules];
    const input = { Bucket: bucket, LifecycleConfiguration: { Rules } };
    await client.send(new PutBucketLifecycleConfigurationCommand(input)).catch((error: unknown) => {
      throw deniedAs('s3:PutLifecycleConfiguration', error);
    });
    return 'set';
  } catch (error) {
    if (isUnsupported(error)) return 'unsupported';
    throw error;
  }
}

async function rulesOf(client: S3Client, bucket: string): Promise<readonly LifecycleRule[]> {
  try {
    const command = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket });
    return (await client.send(command)).Rules ?? [];
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NoSuchLifecycleConfiguration') {
      return [];
    }
    throw deniedAs('s3:GetLifecycleConfiguration', error);
  }
}

function deniedAs(action: string, error: unknown): unknown {
  const isDenied = error instanceof S3ServiceException && error.name === 'AccessDenied';
  return isDenied ? new ActionDenied(action, error) : error;
}

/** Stores return rules in an order and with members of their own. */
function describe(some: readonly LifecycleRule[]): string {
  const lines = some.map((rule) => {
    const days = rule.Expiration?.Days ?? rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation;
    return `${rule.ID} ${rule.Status} ${rule.Filter?.Prefix ?? rule.Prefix ?? ''} ${days}`;
  });
  return lines.sort().join('\n');
}

/** Gateways over a folder do not support lifecycle rules. */
function isUnsupported(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  const status = error.$metadata.httpStatusCode ?? 0;
  return error.name === 'NotImplemented' || status === 501 || status === 405;
}
