// `svc admin source`: credentials for the addresses that an organization's recordings have.
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { z } from 'zod';
import { describeOrganization } from '../../../db/organizations.ts';
import {
  listSourceCredentials,
  removeSourceCredential,
  setSourceCredential,
} from '../../../db/source-credentials.ts';
import type { SourceSecret } from '../../../models/contract/source.ts';
import { operator } from '../../process/operator.ts';
import { printRows, secretBox, withDatabase, type PrintOptions } from './database.ts';

const help = `
The secret is a line of standard input: the token, the password, or the secret access key. It is
stored encrypted, and sent to addresses below PREFIX alone, also after redirects.

  svc admin source set org_… https://media.example.com/calls/ --bearer < token
  svc admin source set org_… https://media.example.com/ --user ann < password
  svc admin source set org_… s3://calls/ --access-key-id AKIA… --region eu-west-1 < secret`;

interface SetOptions {
  readonly bearer?: boolean;
  readonly user?: string;
  readonly accessKeyId?: string;
  readonly region: string;
  readonly endpoint?: string;
}

export function addSourceCommands(admin: Command): void {
  const source = admin
    .command('source')
    .description('credentials for recordings that the service fetches: set, list, remove');
  source
    .command('set <organization> <prefix>')
    .description('add the credentials of https://HOST/PATH/ or s3://BUCKET/PATH/, or replace them')
    .option('--bearer', 'a bearer token')
    .option('--user <name>', 'user name of basic authentication')
    .option('--access-key-id <id>', 'access key of an s3 bucket')
    .option('--region <name>', 'region of the bucket', 'us-east-1')
    .option('--endpoint <url>', 'S3 service of the bucket; default: AWS')
    .addHelpText('after', help)
    .action(async (organizationId: string, prefix: string, options: SetOptions) => {
      const parsed = parsePrefix(prefix);
      const secret = secretOf(parsed, options, (await readAll(process.stdin)).trim());
      const box = secretBox();
      const change = { organizationId, prefix: parsed.href, secret, actor: operator() };
      await withDatabase(async (db) => {
        await describeOrganization(db, organizationId);
        await setSourceCredential(db, box, change);
      });
      process.stdout.write(`${organizationId} ${parsed.href}: ${secret.kind}\n`);
    });
  source
    .command('list <organization>')
    .description('the prefixes, without their secrets')
    .option('--json', 'print JSON')
    .action(async (organizationId: string, options: PrintOptions) => {
      const all = await withDatabase(async (db) => {
        await describeOrganization(db, organizationId);
        return listSourceCredentials(db, organizationId);
      });
      const rows = all.map(({ createdAt, ...row }) => {
        return { ...row, createdAt: createdAt.toISOString() };
      });
      printRows(rows, options);
    });
  source
    .command('remove <organization> <prefix>')
    .description('delete credentials')
    .action(async (organizationId: string, prefix: string) => {
      const change = { organizationId, prefix: parsePrefix(prefix).href, actor: operator() };
      await withDatabase((db) => removeSourceCredential(db, change));
      process.stdout.write(`${organizationId} ${change.prefix}: removed\n`);
    });
}

/** With a slash at its end. @throws for what is no prefix */
function parsePrefix(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fits = url && ['https:', 'http:', 's3:'].includes(url.protocol) && url.hostname !== '';
  if (!fits || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new Error(`PREFIX must be https://HOST/PATH/ or s3://BUCKET/PATH/, got "${text}"`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

const endpoint = z.url({ protocol: /^https?$/, error: '--endpoint must be an http or https URL' });

/** @throws for options that do not fit the prefix, or without a secret */
function secretOf({ protocol }: URL, options: SetOptions, text: string): SourceSecret {
  const { bearer = false, user, accessKeyId, region } = options;
  if (text === '') throw new Error('the secret is read from standard input, which was empty');
  if (/[\r\n]/.test(text)) throw new Error('the secret must be one line');
  const given = [bearer, user !== undefined, accessKeyId !== undefined].filter(Boolean);
  if (given.length !== 1) throw new Error('give one of --bearer, --user and --access-key-id');
  if ((protocol === 's3:') !== (accessKeyId !== undefined))
    throw new Error('--access-key-id is for s3://, --bearer and --user are for https://');
  if (bearer) return { kind: 'bearer', token: text };
  if (user !== undefined) return { kind: 'basic', user, password: text };
  return {
    ...{ kind: 's3', accessKeyId: accessKeyId!, secretAccessKey: text, region },
    endpoint: options.endpoint === undefined ? null : endpoint.parse(options.endpoint),
  };
}
