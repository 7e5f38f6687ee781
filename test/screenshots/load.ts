// What it takes until a page can be used: time, and figures that do not depend on what else the
// machine does.
import type { Page } from 'playwright-core';

/** Loads whose medians are taken. */
const loads = 3;

export interface LoadFigures {
  /** From the click on a link until the page can be used. */
  readonly interactiveMs: number;
  /** Processor time of the page's thread. */
  readonly threadMs: number;
  /** Those that the browser had not kept, and their bytes. */
  readonly requests: number;
  readonly bytes: number;
  readonly elements: number;
}

/** @param open loads the page anew and returns once it can be used */
export async function measureLoads(
  page: Page,
  open: () => Promise<unknown>,
): Promise<{ readonly first: LoadFigures; readonly again: LoadFigures }> {
  const first: LoadFigures[] = [];
  const again: LoadFigures[] = [];
  for (let i = 0; i < loads; i += 1) {
    first.push(await measure(page, open, { isFirst: true }));
    again.push(await measure(page, open, { isFirst: false }));
  }
  return { first: mediansOf(first), again: mediansOf(again) };
}

async function measure(
  page: Page,
  open: () => Promise<unknown>,
  { isFirst }: { readonly isFirst: boolean },
): Promise<LoadFigures> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  await client.send('Network.enable');
  if (isFirst) await client.send('Network.clearBrowserCache');
  const kept = new Set<string>();
  const sizes = new Map<string, number>();
  client.on('Network.requestServedFromCache', ({ requestId }) => kept.add(requestId));
  client.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.fromDiskCache && !kept.has(requestId)) sizes.set(requestId, 0);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (sizes.has(requestId)) sizes.set(requestId, encodedDataLength);
  });
  await open();
  const { metrics } = await client.send('Performance.getMetrics');
  await client.detach();
  const mark = "performance.getEntriesByName('interactive')[0].startTime";
  return {
    interactiveMs: Number(await page.evaluate(mark)),
    // Counted anew for each document.
    threadMs: 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value,
    requests: sizes.size,
    bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    elements: Number(await page.evaluate("document.querySelectorAll('*').length")),
  };
}

function mediansOf(all: readonly LoadFigures[]): LoadFigures {
  const of = (name: keyof LoadFigures): number =>
    all.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(loads / 2)]!;
  return {
    interactiveMs: of('interactiveMs'),
    threadMs: of('threadMs'),
    requests: of('requests'),
    bytes: of('bytes'),
    elements: of('elements'),
  };
}
