// The OpenAPI 3.1 document, generated from the schemas that tests validate answers against.
import { createDocument } from 'zod-openapi';
import { batchPaths } from '../batches/openapi.ts';
import { catalogPaths } from '../catalog/openapi.ts';
import { filePaths } from '../files/openapi.ts';
import { healthPaths } from '../health/openapi.ts';
import { humePathItems } from '../hume-compatible/openapi.ts';
import { openAiPathItems } from '../openai-compatible/openapi.ts';
import { proficiencyPaths } from '../proficiency/openapi.ts';
import { resonance2Paths } from '../resonance-2/openapi.ts';
import { sessionPaths } from '../sessions/openapi.ts';
import { speechPaths } from '../speech/openapi.ts';
import { syntheticSpeechPaths } from '../synthetic-speech/openapi.ts';
import { webhookPaths } from '../webhooks/openapi.ts';
import { errorExamples } from '../openapi/responses.ts';

type OpenApiDocument = ReturnType<typeof createDocument>;

/** The document is the same at every address; the route adds `servers`. */
export function openApiDocument(): OpenApiDocument {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Speech analysis',
      version: '1.0.0',
      description:
        'Recordings in; transcripts, emotion, speaking style, speakers and proficiency out. ' +
        'The three WebSocket streams are described by an AsyncAPI document in `docs/streams`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Audio', description: 'A recording in, a result out.' },
      { name: 'Batches', description: 'Many recordings, analysed one after the other.' },
      { name: 'Webhooks', description: 'Notifications when a batch ends.' },
      { name: 'Sessions', description: 'Credentials of streams and of Spectra-2 recordings.' },
      { name: 'Access', description: 'Access to restricted models.' },
      { name: 'OpenAI', description: "Transcription for OpenAI's clients." },
      { name: 'Hume', description: "Batch jobs for Hume's clients." },
      { name: 'Catalog', description: 'Models and reference rates.' },
      { name: 'Health', description: 'Probes for operators.' },
    ],
    paths: {
      ...speechPaths,
      ...proficiencyPaths,
      ...resonance2Paths,
      ...syntheticSpeechPaths,
      ...batchPaths,
      ...openAiPathItems,
      ...humePathItems,
      ...filePaths,
      ...webhookPaths,
      ...sessionPaths,
      ...catalogPaths,
      ...healthPaths,
    },
    components: {
      examples: errorExamples,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'svc_(live|test)_<16 hex>_<secret>',
        },
      },
    },
  });
}
