// The FFmpeg decoders that uploads may reach: the usual codecs of speech in the accepted
// containers. The other four hundred decoders stay out of reach of hostile input.

const pcm = ['u8', 's8', 's16le', 's16be', 's24le', 's24be', 's32le', 's32be', 'f32le', 'f32be']
  .concat('f64le', 'f64be', 'alaw', 'mulaw')
  .map((layout) => `pcm_${layout}`);

/** FFmpeg's decoder names; ADPCM, GSM and MP3 occur in WAV, Speex in Ogg. */
const allowed: readonly string[] = [
  ...['flac', 'alac', 'mp3float', 'aac', 'vorbis', 'opus', 'speex'],
  ...['adpcm_ms', 'adpcm_ima_wav', 'gsm_ms'],
  ...pcm,
];

/**
 * The value of libavformat's option of this name: codecs that probing may open, which excludes
 * cover art.
 */
export const codecWhitelist = allowed.join(',');

export function isAllowedCodec(name: string | null): boolean {
  return name !== null && allowed.includes(name);
}
