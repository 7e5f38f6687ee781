// The workers' environment.
import { availableParallelism, tmpdir } from 'node:os';
import { z } from 'zod';

const configSchema = z.object({
  DATABASE_URL: z.string().min(1),
  S3_ENDPOINT: z.url(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  S3_BUCKET: z.string().min(1),
  TEMPORAL_ADDRESS: z.string().min(1),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  SVC_TASK_QUEUE: z.string().default('svc'),
  SVC_MODELS_DIR: z.string().min(1),
  SVC_INFERENCE_PROCESSES: z.coerce.number().int().min(1).default(availableParallelism()),
  SVC_LOG_LEVEL: z.string().default('info'),
  SVC_WEBHOOK_NETWORKS: z.string().default(''),
  SVC_SECRETS_KEY: z.string().optional(),
  SVC_METRICS_HOST: z.string().default('127.0.0.1'),
  SVC_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SVC_TEMPORARY_DIR: z.string().default(tmpdir()),
});

const streamSchema = configSchema.extend({
  SVC_STREAM_HOST: z.string().default('127.0.0.1'),
  SVC_STREAM_PORT: z.coerce.number().int().min(0).max(65_535).default(8081),
  SVC_MAX_STREAMS: z.coerce.number().int().min(1).default(512),
  SVC_STREAM_COMMITS: z.coerce.number().int().min(1).default(64),
});

export type WorkerConfig = z.infer<typeof configSchema>;
export type StreamWorkerConfig = z.infer<typeof streamSchema>;

export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  return read(configSchema, environment);
}

export function readStreamWorkerConfig(environment: NodeJS.ProcessEnv): StreamWorkerConfig {
  return read(streamSchema, environment);
}

/** @throws with a line per variable that is missing or wrong */
function read<S extends z.ZodType>(schema: S, environment: NodeJS.ProcessEnv): z.output<S> {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}
