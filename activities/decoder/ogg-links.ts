// The links of a chained Ogg file, each a recording of its own (RFC 3533, sections 4 and 6).
import { undecodable } from './decode-error.ts';
import type { FileWindow } from './file-window.ts';
import type { ByteRange } from './messages.ts';

const capture = Buffer.from('OggS');
const pageHeadBytes = 27;
const flags = { begins: 2, ends: 4 } as const;
/** The first bytes of audio streams; other streams (pictures, text, skeletons) are ignored. */
const soundHeads = ['OpusHead', '\x01vorbis', '\x7fFLAC', 'fLaC', 'Speex   ', 'PCM     '];
/** A day of radio has about this many links, and each of them costs opening a decoder. */
const maxLinks = 256;

interface Link {
  readonly start: number;
  /** Serial numbers of the audio streams, and whether each has ended. */
  readonly sound: Map<number, boolean>;
  /** A page without a stream start was seen, so the next stream start begins another link. */
  started: boolean;
}

/**
 * The byte range of each link. A decoder that is given two links reads the second with the tables
 * of the first, so each is decoded separately.
 * @throws DecodeError when the end is missing, or when a link has several audio streams
 */
export function oggLinks(file: FileWindow): readonly ByteRange[] {
  const { links, whole } = readLinks(file);
  const last = links.at(-1);
  if (!last) throw undecodable('it is not a readable OGG file');
  if (!whole || [...last.sound.values()].includes(false)) {
    throw undecodable('it is truncated: its end is missing');
  }
  const many = links.find(({ sound }) => sound.size > 1);
  if (many) {
    throw undecodable(
      `${many.sound.size} streams of sound lie side by side in it; one is supported`,
    );
  }
  if (links.length > maxLinks) {
    throw undecodable(`it is a chain of ${links.length} recordings; ${maxLinks} are supported`);
  }
  return links.map(({ start }, i) => ({ start, end: links[i + 1]?.start ?? file.bytes }));
}

function readLinks(file: FileWindow): { readonly links: readonly Link[]; readonly whole: boolean } {
  const links: Link[] = [];
  for (let offset = file.find(capture, 0); offset >= 0;) {
    const page = readPage(file, offset);
    if (!page) return { links, whole: false };
    const { begins, ends, serial, sound, length } = page;
    let link = links.at(-1);
    if (begins) {
      if (!link || link.started)
        links.push((link = { start: offset, sound: new Map(), started: false }));
      if (sound) link.sound.set(serial, false);
    } else if (link) {
      link.started = true;
    }
    if (ends && link?.sound.has(serial)) link.sound.set(serial, true);
    // Bytes between pages are damage, and bytes after the last page are ignored.
    offset = file.find(capture, offset + length);
  }
  return { links, whole: true };
}

interface Page {
  readonly begins: boolean;
  readonly ends: boolean;
  readonly serial: number;
  /** Its first packet is the header of an audio stream. */
  readonly sound: boolean;
  readonly length: number;
}

/** null when the file ends within the page. */
function readPage(file: FileWindow, offset: number): Page | null {
  const head = file.at(offset, pageHeadBytes + 255 + 8);
  const segments = head[pageHeadBytes - 1];
  if (segments === undefined || head.length < pageHeadBytes + segments) return null;
  const body = pageHeadBytes + segments;
  const table = head.subarray(pageHeadBytes, body);
  const length = body + table.reduce((sum, lacing) => sum + lacing, 0);
  if (offset + length > file.bytes) return null;
  const first = head.toString('latin1', body, body + 8);
  return {
    begins: (head[5]! & flags.begins) !== 0,
    ends: (head[5]! & flags.ends) !== 0,
    serial: head.readUInt32LE(14),
    sound: soundHeads.some((start) => first.startsWith(start)),
    length,
  };
}
