// The API's environment.
import { z } from 'zod';
import { defaultConnectionLimits } from '../../api/http/connections.ts';
import { readConfig, serviceSchema } from './service-config.ts';

const configSchema = serviceSchema.extend({
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
});

export type ApiConfig = z.infer<typeof configSchema>;

/** @throws with a line per variable that is missing or wrong */
export function readApiConfig(environment: NodeJS.ProcessEnv): ApiConfig {
  return readConfig(configSchema, environment);
}
