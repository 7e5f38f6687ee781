// Paths of files in archives: they lead nowhere else, and are the same wherever they are unpacked;
// pure.
import type { BatchItem } from '../../models/contract/batch-item.ts';
import type { ExportFormat } from '../../models/exports/formats.ts';

/** What Windows has in no name, and what is not seen but turns the order of what is. */
const unfit = /[<>:"|?*/\\\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Devices of Windows, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;

/** UTF-8; most systems have names of 255 at most, and endings and numbers follow. */
const maxNameBytes = 200;

/** One part of a path, which no system would shorten either; may be empty. */
export function archiveName(text: string): string {
  const fit = text.replaceAll(unfit, '_').trimStart();
  const { read } = new TextEncoder().encodeInto(fit, new Uint8Array(maxNameBytes));
  const name = fit.slice(0, read).replace(/[.\s]+$/u, '');
  return device.test(name) ? `_${name}` : name;
}

/**
 * The paths of results in one archive, item by item, with the folders of the caller's names. Those
 * that only differ in case or in how accents are composed are one file on macOS and Windows, so the
 * later one also has its position.
 */
export function archivePaths(
  format: ExportFormat,
): (item: Pick<BatchItem, 'customId' | 'position'>) => string {
  const taken = new Set<string>();
  const ending = format === 'metrics' ? '.metrics.json' : `.${format}`;
  return ({ customId, position }) => {
    const parts = customId.split(/[/\\]/).map(archiveName).filter(Boolean);
    // No folder has the name of a file.
    const folders = parts
      .slice(0, -1)
      .map((part) => (part.toLowerCase().endsWith(ending) ? `${part}_` : part));
    let base = [...folders, parts.at(-1) ?? `item-${position}`].join('/');
    while (taken.has(folded(base))) base += `-${position}`;
    taken.add(folded(base));
    return `${base}${ending}`;
  };
}

function folded(path: string): string {
  return path.normalize('NFC').toUpperCase();
}
