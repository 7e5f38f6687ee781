// Accessibility of a page in the browser, by axe: WCAG 2.2 A and AA, in both modes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** @returns `MODE RULE: ELEMENT SUMMARY` for each violation */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The policy of the page keeps scripts out of it, but not those of its debugger.
    await page.evaluate(source);
    // Preloading would insert copies of styles, which the policy rejects.
    const options = JSON.stringify({ runOnly: tags, preload: false });
    const judged = await page.evaluate(`axe.run(document, ${options})`);
    const { violations } = judged as AxeResult;
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary = '' } of nodes) {
        faults.push(`${colorScheme} ${id}: ${html.slice(0, 160)} ${failureSummary}`);
      }
    }
  }
  await page.emulateMedia({ colorScheme: null });
  return faults;
}
