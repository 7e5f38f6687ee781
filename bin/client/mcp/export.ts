// The tool `export`: a result in the format of another program.
import { z } from 'zod';
import { batchIdPattern } from '../../../api/batches/schemas.ts';
import { exportFormats, type ExportFormat } from '../../../models/exports/formats.ts';
import { exportOne, formatNames } from '../exports.ts';
import { readResult } from '../read-result.ts';
import { outPath, writeNew } from './paths.ts';
import type { Tool } from './tool.ts';

const purposes = Object.entries(exportFormats)
  .map(([name, { purpose }]) => `${name}: ${purpose}`)
  .join('; ');

const input = z.object({
  format: z.enum(formatNames as [ExportFormat, ...ExportFormat[]]).describe(purposes),
  batch_id: z.string().regex(batchIdPattern).optional().describe('With `index`.'),
  index: z.int().min(0).optional().describe('Of the item, as `status` lists it.'),
  result: z.string().optional().describe('Instead of them: path of a result of `analyse`.'),
  out: outPath,
});

export const exportTool: Tool<typeof input> = {
  name: 'export',
  title: 'Export a result',
  description:
    'An item of a batch, or a result that `analyse` has written, as subtitles, text, table, ' +
    'report or call metrics.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async ({ format, batch_id: id, index, result, out }, { client, signal }) => {
    if ((id === undefined) === (result === undefined))
      throw new Error('give either `batch_id` with `index`, or `result`');
    if (id !== undefined && index === undefined) throw new Error('`batch_id` needs `index`');
    const text =
      id === undefined
        ? exportOne(await readResult(result!), format)
        : await client.batches.export(id, index!, format, { signal });
    if (out === undefined) return { text };
    await writeNew(out, text);
    return { text: `written to ${out}` };
  },
};
