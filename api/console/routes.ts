// GET /console, to which / leads: a page that uses the API to send recordings, watch batches and
// show reports.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import { automatic, spokenLanguages } from '../upload/language.ts';
import { sharedTasks } from '../../models/contract/tasks.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { exportFormats } from '../../models/exports/formats.ts';
import type { RequestState } from '../http/request-state.ts';

const folder = join(import.meta.dirname, 'page');

/** The only files of the folder that are served. */
const assets = {
  'console.css': 'text/css; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'service.js': 'text/javascript; charset=utf-8',
  'views.js': 'text/javascript; charset=utf-8',
} as const;

/** The embedded report has its own styles and drawings. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "media-src blob:; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

export function consoleRoutes(router: Router<RequestState>): void {
  router.get('/', (ctx) => {
    // For a program `/` is a path like any other that does not exist.
    if (ctx.accepts('json', 'html') === 'html') ctx.redirect('/console');
  });
  router.get('/console', (ctx) => {
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = createReadStream(join(folder, 'index.html'));
  });
  router.get('/console/choices.json', (ctx) => {
    ctx.body = {
      tasks: sharedTasks,
      models: commonModels,
      formats: Object.keys(exportFormats),
      languages: [automatic, ...spokenLanguages],
    };
  });
  for (const [name, type] of Object.entries(assets)) {
    router.get(`/console/${name}`, (ctx) => {
      ctx.type = type;
      ctx.body = createReadStream(join(folder, name));
    });
  }
}
