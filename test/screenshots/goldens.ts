// Small pictures of every page, kept beside the code: a page that looks different is noticed, and a
// person looks at both.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, 'goldens');

/** Text of another rendering moves within its cell; a part of a page that moves changes many. */
const toleratedCells = 0.02;
const toleratedHeight = 0.02;

/** Small enough to be committed, large enough for a person to recognise what is where. */
const smallWidths: Readonly<Record<number, number>> = { 360: 72, 820: 136, 1_440: 180 };

export interface Goldens {
  /** @returns what differs from the golden picture, in words; null when nothing does */
  check(name: string, width: number, png: Buffer): Promise<string | null>;
}

/**
 * @param painter a blank page that compares the pictures
 * @param isUpdating pictures replace the golden ones
 */
export async function openGoldens(painter: Page, isUpdating: boolean): Promise<Goldens> {
  await painter.addScriptTag({ path: join(import.meta.dirname, 'painter.js'), type: 'module' });
  mkdirSync(folder, { recursive: true });
  return {
    async check(name, width, png) {
      const small = smallWidths[width]!;
      const path = join(folder, `${name}.webp`);
      const source = JSON.stringify(dataUrl('png', png));
      if (isUpdating) {
        const webp = await painter.evaluate<string>(`shrink(${source}, ${small})`);
        writeFileSync(path, Buffer.from(webp, 'base64'));
        return null;
      }
      if (!existsSync(path)) return 'it has no golden picture';
      const golden = JSON.stringify(dataUrl('webp', readFileSync(path)));
      const { cells, height } = await painter.evaluate<{ cells: number; height: number }>(
        `compare(${source}, ${golden}, ${small})`,
      );
      const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
      if (height > toleratedHeight) return `its height differs by ${percent(height)}`;
      return cells > toleratedCells ? `${percent(cells)} of it differs` : null;
    },
  };
}

function dataUrl(format: string, bytes: Buffer): string {
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}
