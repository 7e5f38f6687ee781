// Every page of the console and of the documents, and the states that somebody can bring it into.
import type { Page } from 'playwright-core';
import { batchId, hourItem, largeBatchId } from './fixture.ts';
import { emptyKey, fullKey } from './serve.ts';

export interface PageState {
  readonly path: string;
  /** Signed in with; null for nobody. */
  readonly key: string | null;
  /** Only what is seen without scrolling is photographed: its text changes with every edit. */
  readonly isLong?: true;
  /** Brings the page, which can be used by then, into the state. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const full = (path: string, act?: PageState['act']): PageState => {
  return { path, key: fullKey, ...(act && { act }) };
};
const empty = (path: string): PageState => ({ path, key: emptyKey });

const recording = `console/recording?batch=${batchId}&item=1`;
const withSound = (page: Page) => page.locator('#play:enabled').waitFor();

async function typeWrongKey(page: Page): Promise<void> {
  await page.getByLabel('API key').fill('svc_live_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The API key is not valid.').waitFor();
}

async function sendFiles(page: Page): Promise<void> {
  const names = ['call-0470.wav', 'call-0471.wav', 'notes.txt', 'call-0472.wav', 'call-0473.wav'];
  const files = names.map((name, i) => {
    return { name, mimeType: 'audio/wav', buffer: Buffer.alloc(400_000 + i * 50_000) };
  });
  await page.locator('#files').setInputFiles(files);
  await page.getByText('finding words and emotions, 61 %').waitFor();
}

async function openOptions(page: Page): Promise<void> {
  await page.getByText('Options: task').click();
  await page.getByLabel('Speakers').selectOption('separate');
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();

/** By the name of the picture. */
export const pageStates: Readonly<Record<string, PageState>> = {
  'sign-in': { path: 'console', key: null },
  'sign-in-wrong': { path: 'console', key: null, act: typeWrongKey },
  overview: full('console'),
  'overview-sending': full('console', sendFiles),
  'overview-options': full('console', openOptions),
  'overview-empty': empty('console'),
  recordings: full('console/recordings?q=refund'),
  'recordings-empty': empty('console/recordings'),
  'recordings-none': empty('console/recordings?q=nothing'),
  recording: full(`${recording}&q=refund#t=31`, withSound),
  'recording-moment': full(`${recording}&label=angry`, withSound),
  'recording-redacted': full(`${recording}&view=redacted`, withSound),
  'recording-names': full(recording, press('Name speakers')),
  'recording-download': full(recording, (page) => page.getByText('Download').click()),
  'recording-delete': full(recording, press('Delete')),
  'recording-missing': full(recording.replace('item=1', 'item=99')),
  compare: full(`console/compare?a=${batchId}.1&b=${batchId}.2`),
  live: full('console/live'),
  'live-refused': full('console/live', async (page) => {
    await press('Start')(page);
    await page.locator('#message.error').waitFor();
  }),
  batches: full('console/batches'),
  'batches-empty': empty('console/batches'),
  'missing-page': full('console/nopage'),
  batch: full(`console/batch?id=${batchId}`),
  'batch-stop': full(`console/batch?id=${batchId}`, press('Stop')),
  'batch-download': full(`console/batch?id=${batchId}`, (page) =>
    page.getByText('Download').click(),
  ),
  docs: { path: 'docs', key: null, isLong: true },
  'docs-console': { path: 'docs/console', key: null, isLong: true },
  reference: { path: 'docs/reference', key: null, isLong: true },
};

/** Pages with as much as they ever show, which are loaded and not photographed. */
export const heavyPages: Readonly<Record<string, PageState>> = {
  'recording of an hour': full(`console/recording?batch=${batchId}&item=${hourItem}`),
  'batch of 200': full(`console/batch?id=${largeBatchId}`),
};
