// Small pictures of every page, kept beside the code: a page that looks different is noticed, and a
// person looks at both.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Golden pictures of the console and the documents. */
export const goldenFolder = join(import.meta.dirname, 'goldens');

/** Small enough to be committed, large enough for a person to recognise what is where. */
const smallWidths: Readonly<Record<number, number>> = { 360: 72, 820: 136, 1_440: 180 };

export interface Goldens {
  /** @returns what differs from the golden picture, in words; null when nothing does */
  check(name: string, width: number, png: Buffer): Promise<string | null>;
}

interface Comparison {
  /** Cells of the picture that look different. */
  readonly cells: number;
  /** The largest difference of a cell, of 255. */
  readonly most: number;
  /** Heights of both, in small pixels. */
  readonly heights: readonly [number, number];
}

/**
 * @param painter a blank page that compares the pictures
 * @param isUpdating pictures replace the golden ones
 */
export async function openGoldens(
  painter: Page,
  { folder, isUpdating }: { readonly folder: string; readonly isUpdating: boolean },
): Promise<Goldens> {
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
      const { cells, most, heights } = await painter.evaluate<Comparison>(
        `compare(${source}, ${golden}, ${small})`,
      );
      if (heights[0] !== heights[1]) return `its height is ${heights[0]} instead of ${heights[1]}`;
      return cells === 0 ? null : `${cells} cells differ, by up to ${Math.round(most)} of 255`;
    },
  };
}

function dataUrl(format: string, bytes: Buffer): string {
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}
