// What stands above a recording: how sure its words are, and channels of which nothing is heard.
import { readableName } from './speaker-names.js';

/** @returns {readonly string[]} sentences */
export const notesOf = ({ note, channels }) => [
  ...(note === null ? [] : [note]),
  ...channelNotes(channels ?? []),
];

/** Without them a call with one line would read as said by one person. */
function channelNotes(channels) {
  const namesIn = (state) =>
    channels
      .filter((each) => each.state === state)
      .map(({ role, speaker }) => role ?? readableName(speaker))
      .join(', ');
  const [missing, silent, spoken] = ['missing', 'silent', 'speech'].map(namesIn);
  const notes = [];
  if (channels.filter(({ state }) => state !== 'missing').length === 1) {
    notes.push('The recording has one channel: whoever speaks in it is shown as one speaker.');
  }
  if (missing !== '') notes.push(`The recording has no channel for: ${missing}.`);
  // Of a recording without any speech the transcript says so.
  if (silent !== '' && spoken !== '')
    notes.push(`No speech was found on the channel of: ${silent}.`);
  return notes;
}
