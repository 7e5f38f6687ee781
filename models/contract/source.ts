// The address of a recording that the service fetches itself; pure.
import { storedFilename } from './stored-file.ts';

export const maxSourceUrlLength = 2_048;

/** `invalid` says what an address has to be. */
export type ParsedSource =
  | { readonly kind: 'source'; readonly url: URL }
  | { readonly kind: 'invalid'; readonly reason: string };

/** @param allowsHttp where the operator allows private networks, which may lack certificates */
export function parseSource(text: string, allowsHttp: boolean): ParsedSource {
  const invalid = (reason: string): ParsedSource => ({ kind: 'invalid', reason });
  const schemes = ['https:', 's3:', ...(allowsHttp ? ['http:'] : [])];
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !schemes.includes(url.protocol)) return invalid('must be an https or s3 URL');
  if (text.length > maxSourceUrlLength)
    return invalid(`must have at most ${maxSourceUrlLength} characters`);
  if (url.username !== '' || url.password !== '')
    return invalid('must not contain a user name or password; an operator stores credentials');
  if (hidesDots(url)) return invalid('must not hide . or .. in its path');
  if (url.protocol !== 's3:') return { kind: 'source', url };
  if (url.hostname === '' || url.pathname.length < 2)
    return invalid('must name a bucket and a key: s3://BUCKET/KEY');
  if (/[?#]/.test(url.href) || url.port !== '')
    return invalid('must be s3://BUCKET/KEY and no more; ? and # of a key are %3F and %23');
  if (decoded(url.pathname) === null) return invalid('has a % that encodes no character');
  return { kind: 'source', url };
}

/** Without its query, which may be a signature, and without a fragment. */
export function shownSource(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** The last part of its path, also where its slash is encoded; `recording` without one. */
export function filenameOfSource({ pathname }: URL): string {
  const segment = pathname.split('/').at(-1) ?? '';
  return storedFilename((decoded(segment) ?? segment).split(/[/\\]/).at(-1)!);
}

/** null where a percent sign encodes nothing. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A server may decode what another one before it has decoded. */
const maxDecodings = 3;

/**
 * Whether a server that decodes the path first, or drops the parameters of its parts, may resolve
 * it to another one: `..%2f`, `%252e%252e/`, `..;/`. What is written plainly is resolved already,
 * and an encoded slash alone is a part of a name.
 */
function hidesDots({ pathname }: URL): boolean {
  let path = pathname;
  for (let i = 0; i < maxDecodings; i += 1)
    path = path.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return path.split(/[/\\]/).some((part) => /^\.\.?(?:;|$)/.test(part));
}

/** What opens a source, as an operator stores it. */
export type SourceSecret =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 's3';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly region: string;
      /** null for AWS. */
      readonly endpoint: string | null;
    };

export interface SourceCredential {
  /** Of the addresses that it opens: `https://HOST/PATH/` or `s3://BUCKET/PATH/`. */
  readonly prefix: string;
  readonly secret: SourceSecret;
}

/**
 * The credential with the longest prefix of the address; null without one, and where the server may
 * read another path.
 */
export function credentialFor(
  url: URL,
  credentials: readonly SourceCredential[],
): SourceCredential | null {
  if (hidesDots(url)) return null;
  const fitting = credentials.filter(({ prefix }) => covers(new URL(prefix), url));
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0] ?? null;
}

/** Whole segments of a path: `/calls/` covers `/calls/1.wav`, and `/call` does not. */
function covers(prefix: URL, url: URL): boolean {
  const path = prefix.pathname.endsWith('/') ? prefix.pathname : `${prefix.pathname}/`;
  const isSameHost = prefix.protocol === url.protocol && prefix.host === url.host;
  return isSameHost && `${url.pathname}/`.startsWith(path);
}

/** What is fetched, and the file that it is written to. */
export interface SourceFetch {
  readonly url: URL;
  readonly credentials: readonly SourceCredential[];
  readonly path: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}
