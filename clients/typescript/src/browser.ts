// What a page may use: streams that its server has got a token or a ticket for. No key is needed.
export { openLiteStream, type LiteStream, type LiteTranscript } from './lite-stream.ts';
export type { LiveOptions, LiveText, LiveWord, OnText } from './live-text.ts';
export { SpeechServiceError } from './service-error.ts';
export type { ClientToken, Spectra2Result, StreamSession } from './schemas.ts';
export {
  openSpectraStream,
  type SpectraReady,
  type SpectraStream,
  type SpectraTarget,
} from './spectra-stream.ts';
