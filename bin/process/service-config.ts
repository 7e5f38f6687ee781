// What every process of the service reads from its environment: the addresses of the others.
import { z } from 'zod';
import type { ObjectStoreOptions } from '../../db/object-store.ts';

/** Where objects are kept. */
export const storageSchema = z.object({
  S3_ENDPOINT: z.url(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  S3_BUCKET: z.string().min(1),
});

export const serviceSchema = storageSchema.extend({
  DATABASE_URL: z.string().min(1),
  TEMPORAL_ADDRESS: z.string().min(1),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  SVC_TASK_QUEUE: z.string().default('svc'),
  SVC_WEBHOOK_NETWORKS: z.string().default(''),
  SVC_SECRETS_KEY: z.string().optional(),
  SVC_METRICS_HOST: z.string().default('127.0.0.1'),
  SVC_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SVC_LOG_LEVEL: z.string().default('info'),
});

/** @throws with a line per variable that is missing or wrong */
export function readConfig<S extends z.ZodType>(
  schema: S,
  environment: NodeJS.ProcessEnv,
): z.output<S> {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}

/** The object storage that the variables name. */
export function storageOf(config: z.infer<typeof storageSchema>): ObjectStoreOptions {
  return {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    bucket: config.S3_BUCKET,
  };
}
