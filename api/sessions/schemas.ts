// Request and response schemas of prepared sessions, stream sessions and client tokens.
import { z } from 'zod';
import { spectraModel } from '../../models/contract/served-models.ts';
import { subprotocols } from '../../models/contract/streams.ts';
import { requestIdPattern } from '../../models/contract/request-id.ts';

/** Chosen by the caller, a new one for each set-up, in whatever case. */
export const sessionIdSchema = z.uuidv4().meta({ example: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' });

const model = z.literal(spectraModel);
const task = z.enum(['transcription', 'analysis']);
const unixMs = z.int().describe('Unix milliseconds.');
const url = z.url({ protocol: /^wss?$/ });

export const sessionRequestSchema = z.strictObject({ model, id: sessionIdSchema });
export const streamSessionRequestSchema = z.strictObject({ model, task });
export const clientTokenRequestSchema = z.strictObject({});

export const sessionSchema = z
  .strictObject({
    object: z.literal('speech.session'),
    model,
    token: z
      .string()
      .regex(/^ss1_[A-Za-z0-9_-]{80,1020}$/)
      .describe('Private; sent back as `X-Svc-Session` with the same API key.'),
    expires_at_ms: unixMs,
    request_ids: z
      .array(z.string().regex(/^rg_[0-9a-f]{64}$/))
      .min(1)
      .max(128),
    capacity_seconds: z.int().min(0),
  })
  .meta({ id: 'PreparedSession' });

export const streamSessionSchema = z
  .strictObject({
    object: z.literal('speech.stream_session'),
    model,
    task,
    request_id: z.string(),
    url,
    protocol: z.literal(subprotocols.spectra),
    ticket: z.string().regex(/^[A-Za-z0-9._-]+$/),
    expires_at_ms: unixMs,
    max_audio_seconds: z.number().gt(0).max(30),
  })
  .meta({ id: 'StreamSession' });

export const clientTokenSchema = z
  .strictObject({
    token: z.string().regex(/^[A-Za-z0-9._-]{1,96}$/),
    url,
    expires_in: z.literal(60),
    single_use: z.literal(true),
    protocol: z.literal(subprotocols.lite),
  })
  .meta({ id: 'ClientToken' });

export const streamSessionHeaders = z.object({
  'X-Svc-Session': z
    .string()
    .meta({ description: "A prepared session's token.", example: `ss1_${'A'.repeat(80)}` }),
  'X-Request-ID': z
    .string()
    .regex(requestIdPattern)
    .meta({ description: 'One of its ids.', example: `rg_${'0'.repeat(64)}` }),
});
