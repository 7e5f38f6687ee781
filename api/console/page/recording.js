// One recording: sound, timeline, transcript and figures that move together; the address names the
// moment (#t=SECONDS).
import {
  at,
  attempt,
  byId,
  clock,
  confirmLoss,
  count,
  lengthText,
  save,
  say,
  spokenText,
} from './dom.js';
import { batchName } from './batch-list.js';
import { offerFinding } from './find.js';
import { drawLanes, showNow } from './lanes.js';
import { offerMoments } from './moments.js';
import { notesOf } from './notes.js';
import { askForNames, sayingsOf, speakersOf } from './speaker-names.js';
import { createPlayer } from './player.js';
import { offerRedaction } from './redaction.js';
import { whenSignedIn } from './session.js';
import { showTalk } from './talk.js';
import { createTranscript } from './transcript.js';

const query = new URLSearchParams(location.search);
const which = { batch: query.get('batch') ?? '', item: query.get('item') ?? '' };
const stepSeconds = 5;

whenSignedIn(async (service, ready) => {
  const read = () => service.result(which, query.get('view') ?? 'whole');
  const reading = read();
  // Why it failed is known to the recording alone.
  reading.catch(() => {});
  const about = await service.recording(which);
  if (about.item.error) throw new Error(`It was not analysed: ${about.item.error.message}`);
  const result = await reading;
  showHead(about);
  const names = [...(about.speakers ?? [])];
  const speakers = speakersOf(result.segments, names);
  showFacts(result, about);
  const drawAll = ({ metrics }) => {
    drawLanes(result, { speakers, labels: about.labels });
    showTalk(metrics, speakers);
  };
  drawAll(result);
  const player = connect(result, { speakers, labels: about.labels });
  const goToStrongest = offerMoments(result.segments, about.labels, player);
  const label = query.get('label');
  // A moment in the address is what somebody wanted to show; else a label, else words.
  if (label && momentInAddress() === null) goToStrongest(label);
  const isShown = momentInAddress() === null && !label;
  const findAgain = offerFinding(query.get('q') ?? '', { isShown, goTo: player.goTo });
  const shown = offerRedaction(result, {
    isRedacted: query.get('view') === 'redacted',
    read: (view) => service.result(which, view),
    show: (view) => {
      player.showView(view);
      findAgain();
    },
    silence: (stretches) => player.silence(stretches),
  });
  offerActions(service, about);
  byId('rename').hidden = names.length === 0;
  byId('rename').addEventListener('click', async () => {
    const given = await askForNames(names, sayingsOf(shown().segments, names.length));
    if (!given) return;
    await attempt(async () => {
      const { speakers: stored } = await service.nameSpeakers(which, given);
      names.splice(0, names.length, ...stored);
      player.showNames();
      // Figures of speakers who have become one are no sums.
      drawAll(await read());
      say('The names are kept with the batch, and used in downloads.');
    });
  });
  ready();
  await attempt(() => loadSound(service, about, player));
});

function showHead({ item, batch }) {
  byId('title').textContent = item.custom_id;
  document.title = `${item.custom_id} · Speech analysis`;
  byId('batch-link').href = at(`console/batch?id=${batch.id}`);
  byId('batch-link').textContent = batchName(batch);
}

function showFacts(result, { batch }) {
  const { duration, language, metrics, has_words: hasWords } = result;
  const until = new Date(batch.expires_at * 1_000).toLocaleDateString('en', {
    dateStyle: 'medium',
  });
  const spoken = spokenText(language, metrics.words);
  const words = hasWords ? [spoken, count(metrics.words, 'word')] : [];
  const facts = [lengthText(duration), ...words, batch.task];
  if (batch.expires_at) facts.push(`kept until ${until}`);
  byId('facts').textContent = facts.join(' · ');
  const notes = notesOf(result);
  byId('note').hidden = notes.length === 0;
  byId('note').textContent = notes.join(' ');
  byId('transcript-title').textContent = hasWords ? 'Transcript' : 'Turns';
  // There is nothing to find, and nothing to hide.
  for (const id of ['find', 'redacted-label']) byId(id).hidden = !hasWords;
}

/** Seconds; null where the address names none. */
function momentInAddress() {
  const moment = /t=(\d+(?:\.\d+)?)/.exec(location.hash)?.[1];
  return moment === undefined ? null : Number(moment);
}

/** Connects player, timeline and transcript. */
function connect(result, { speakers, labels }) {
  const { duration, language, segments, peaks } = result;
  const { start_seconds: startSeconds, has_words: hasWords } = result;
  const length = lengthText(duration);
  const timeline = byId('timeline');
  timeline.setAttribute('aria-valuemax', duration.toFixed(1));
  let player = null;
  const seek = (seconds) => player.seek(seconds);
  const draw = (shown) => createTranscript(shown, { speakers, labels, language, hasWords, seek });
  let transcript = draw(segments);
  const moved = (seconds) => {
    byId('playhead').style.left = `${(100 * seconds) / Math.max(duration, 1e-3)}%`;
    byId('clock').textContent = `${clock(seconds)} / ${length}`;
    timeline.setAttribute('aria-valuenow', seconds.toFixed(1));
    timeline.setAttribute('aria-valuetext', `${clock(seconds)} of ${length}`);
    showNow(transcript.show(seconds, byId('follow').checked), speakers);
  };
  const played = (isPlaying) => {
    byId('play').textContent = isPlaying ? 'Pause' : 'Play';
  };
  player = createPlayer({ place: byId('wave'), peaks, duration, startSeconds, moved, played });
  offerControls(player, duration);
  seek(momentInAddress() ?? 0);
  window.addEventListener('hashchange', () => {
    const moment = momentInAddress();
    if (moment !== null) seek(moment);
  });
  return {
    ...player,
    showNames() {
      transcript.showNames();
      moved(player.position());
    },
    goTo: (word) => transcript.goTo(word),
    /** Shows another view of the same recording; what it removes is silent. */
    showView(view) {
      transcript = draw(view.segments);
      moved(player.position());
    },
  };
}

function offerControls(player, duration) {
  const timeline = byId('timeline');
  const by = (seconds) => player.seek(player.position() + seconds);
  const seekTo = ({ clientX }) => {
    const { left, width } = timeline.getBoundingClientRect();
    player.seek((duration * (clientX - left)) / width);
  };
  timeline.addEventListener('pointerdown', seekTo);
  timeline.addEventListener('pointermove', (event) => {
    if (event.buttons === 1) seekTo(event);
  });
  const steps = { ArrowLeft: -stepSeconds, ArrowRight: stepSeconds, PageUp: -30, PageDown: 30 };
  timeline.addEventListener('keydown', (event) => {
    const { key } = event;
    if (key in steps) by(steps[key]);
    else if (key === 'Home') player.seek(0);
    else if (key === 'End') player.seek(duration);
    else if (key === ' ' && !byId('play').disabled) void player.toggle();
    else return;
    event.preventDefault();
  });
  byId('play').addEventListener('click', () => void player.toggle());
  byId('back').addEventListener('click', () => by(-stepSeconds));
  byId('forth').addEventListener('click', () => by(stepSeconds));
  byId('speed').addEventListener('change', ({ target }) => player.setRate(Number(target.value)));
  byId('link').addEventListener('click', async () => {
    history.replaceState(null, '', `#t=${player.position().toFixed(1)}`);
    const moment = clock(player.position());
    try {
      // Without a secure connection browsers have no clipboard for pages.
      await navigator.clipboard.writeText(location.href);
      say(`The link to ${moment} is copied.`);
    } catch {
      say(`The address of this page names ${moment} now: copy it from the browser.`);
    }
  });
}

async function loadSound(service, { audio, redacted }, player) {
  const note = byId('sound-note');
  if (!audio) {
    note.textContent = redacted
      ? 'Redacted batches have no sound.'
      : 'The sound is not kept any more.';
    return;
  }
  note.textContent = 'Loading the sound …';
  const canPlay = await player.load(await service.sound(which));
  byId('play').disabled = !canPlay;
  note.textContent = canPlay ? '' : 'This browser cannot play this kind of recording.';
}

function offerActions(service, { item, batch }) {
  byId('exports').addEventListener('click', ({ target }) => {
    const format = target.closest('button')?.dataset.format;
    if (!format) return;
    void attempt(async () => {
      const ending = format === 'metrics' ? 'metrics.json' : format;
      save(await service.exported(which, format), `${item.custom_id}.${ending}`);
      byId('exports').open = false;
    });
  });
  byId('remove').addEventListener('click', () => {
    void attempt(async () => {
      const total = count(batch.request_counts.total, 'recording');
      const question = {
        title: `Delete “${batchName(batch)}”?`,
        text: `Recordings are deleted with their batch: the results and the audio of ${total} are gone for good.`,
        action: 'Delete for good',
      };
      if (!(await confirmLoss(question))) return;
      await service.remove(batch.id);
      location.assign(at('console/recordings'));
    });
  });
}
