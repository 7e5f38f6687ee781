// The API's environment.
import { z } from 'zod';
import { defaultConnectionLimits } from '../../api/http/connections.ts';

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
  SVC_HOST: z.string().default('127.0.0.1'),
  SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  SVC_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(defaultConnectionLimits.max),
  SVC_MAX_CONNECTIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .default(defaultConnectionLimits.maxPerAddress),
  SVC_ANSWER_DEADLINE_SECONDS: z.coerce.number().positive().default(300),
  SVC_SPECTRA_UPLOADS: z.coerce.number().int().min(1).default(64),
  SVC_SPECTRA_RUNS: z.coerce.number().int().min(1).default(64),
  SVC_PREPARED_SESSIONS: z.stringbool().default(true),
  SVC_DIRECT_STREAMING: z.stringbool().default(true),
  SVC_SESSION_SETUPS: z.coerce.number().int().min(1).default(32),
  SVC_PUBLIC_URL: z.url().optional(),
  SVC_STREAM_ADDRESS: z.string().default('127.0.0.1:8081'),
  SVC_S3_PUBLIC_ENDPOINT: z.url().optional(),
  SVC_WEBHOOK_NETWORKS: z.string().default(''),
  SVC_SECRETS_KEY: z.string().optional(),
  SVC_METRICS_HOST: z.string().default('127.0.0.1'),
  SVC_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SVC_LOG_LEVEL: z.string().default('info'),
});

export type ApiConfig = z.infer<typeof configSchema>;

/** @throws with a line per variable that is missing or wrong */
export function readApiConfig(environment: NodeJS.ProcessEnv): ApiConfig {
  const parsed = configSchema.safeParse(environment);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}
