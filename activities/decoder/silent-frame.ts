// A frame of silence in the rate, layout and sample format of another one.
import { AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P } from 'node-av/constants';
import { Frame } from 'node-av/lib';

/** Unsigned samples have it in the middle. */
const unsignedSilence = 0x80;

/** A frame of silence in format, channels and rate of another. @throws without memory for it */
export function silentFrame(samples: number, like: Frame): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = like.format;
  frame.channelLayout = like.channelLayout;
  frame.sampleRate = like.sampleRate;
  frame.nbSamples = samples;
  if (frame.getBuffer() < 0) throw new Error('no memory for a frame');
  const isUnsigned = like.format === AV_SAMPLE_FMT_U8 || like.format === AV_SAMPLE_FMT_U8P;
  for (const plane of frame.data ?? []) plane.fill(isUnsigned ? unsignedSilence : 0);
  return frame;
}
