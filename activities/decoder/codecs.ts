// FFmpeg's decoders that uploads may reach: what people keep speech in, in the containers that are
// taken. The other four hundred are so much code that hostile bytes never see.

const pcm = ['u8', 's8', 's16le', 's16be', 's24le', 's24be', 's32le', 's32be', 'f32le', 'f32be']
  .concat('f64le', 'f64be', 'alaw', 'mulaw')
  .map((layout) => `pcm_${layout}`);

/** By FFmpeg's name of the decoder; ADPCM, GSM and MP3 are found in WAV, Speex in Ogg. */
const allowed: readonly string[] = [
  ...['flac', 'alac', 'mp3float', 'aac', 'vorbis', 'opus', 'speex'],
  ...['adpcm_ms', 'adpcm_ima_wav', 'gsm_ms'],
  ...pcm,
];

/** As libavformat's option of this name takes it: what probing may open, cover pictures not. */
export const codecWhitelist = allowed.join(',');

export function isAllowedCodec(name: string | null): boolean {
  return name !== null && allowed.includes(name);
}
