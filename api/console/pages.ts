// The bodies of the console's pages: headings, forms and empty states; modules fill in the data.
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { sharedTasks } from '../../models/contract/tasks.ts';
import { exportFormats } from '../../models/exports/formats.ts';
import { automatic, spokenLanguages } from '../fields/language.ts';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

function option(value: string, text = value, selected = false): string {
  return `<option value="${value}"${selected ? ' selected' : ''}>${text}</option>`;
}

function languages(): string {
  return spokenLanguages
    .map((code) => ({ code, name: languageNames.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ code, name }) => option(code, name))
    .join('');
}

const uploadForm = `<section class="card upload" aria-labelledby="new-title">
<div id="drop" class="drop"><div><h2 id="new-title">Analyse recordings</h2>
<p class="quiet">Drop files or folders here, one or hundreds: WAV, FLAC, MP3, M4A, OGG or WebM, up
to 30 MiB and an hour each</p></div>
<div class="actions"><label class="button primary" for="files">Choose files</label>
<input id="files" class="visually-hidden" type="file" multiple
accept="audio/*,.wav,.flac,.mp3,.m4a,.mp4,.ogg,.opus,.webm">
<label class="button" for="folder">Choose a folder</label>
<input id="folder" class="visually-hidden" type="file" multiple webkitdirectory></div></div>
<details class="options"><summary>Options: task, language, speakers, model</summary>
<div class="fields">
<label>Task <select id="task">${sharedTasks
  .map((task) => option(task, task, task === 'analysis'))
  .join('')}</select></label>
<label>Language <select id="language">${option(automatic, 'detect automatically')}${languages()}
</select></label>
<label>Speakers <select id="speakers">${option('diarize', 'separate by voice')}
${option('separate', 'one per channel (stereo)')}${option('none', 'do not separate')}
</select></label>
<label id="roles-label" hidden>Names of the channels
<input id="roles" placeholder="agent, customer" autocomplete="off"></label>
<label>Model <select id="model">${commonModels.map((model) => option(model)).join('')}</select>
</label>
<label class="check"><input id="digits" type="checkbox"> Numbers in digits</label></div></details>
<div id="uploads" hidden>
<div class="line"><p id="upload-summary" role="status" aria-live="polite"></p>
<label id="problems-label" class="check"><input id="problems" type="checkbox"> Problems only
</label></div>
<progress id="upload-progress" max="1" value="0" aria-label="Recordings done"></progress>
<ul id="upload-list" class="files scrolled" tabindex="0" aria-label="Recordings"></ul>
</div>
</section>`;

export const overviewBody = `<div class="line"><h1>Overview</h1>
<label class="inline">Period <select id="days">${option('7', '7 days')}
${option('14', '14 days', true)}${option('30', '30 days')}${option('90', '90 days')}</select>
</label></div>
<dl id="tiles" class="tiles"></dl>
${uploadForm}
<div id="charts" class="two"><figure class="card"><figcaption>Audio a day</figcaption>
<div id="day-chart"></div></figure>
<figure class="card"><figcaption>Emotions, in recordings that are kept</figcaption>
<div id="emotion-chart"></div></figure></div>
<div class="two wide-left"><section aria-labelledby="recent-title">
<div class="line"><h2 id="recent-title">Latest batches</h2><a href="console/batches">All batches</a>
</div><div id="batches"></div></section>
<section aria-labelledby="language-title"><h2 id="language-title">Languages</h2>
<div class="card" id="language-chart"></div></section></div>`;

export const recordingsBody = `<h1>Recordings</h1>
<form id="search" role="search" class="card fields" aria-label="Search recordings">
<label class="wide-field">Words <input id="q" type="search" autocomplete="off"
placeholder='refund "credit card" -test'></label>
<label>Speaker <input id="speaker" autocomplete="off" placeholder="agent"></label>
<label>Emotion or style <select id="label">${option('', 'any')}
<optgroup label="Emotions">${emotionLabels.map((name) => option(name)).join('')}</optgroup>
<optgroup label="Styles">${styleLabels.map((name) => option(name)).join('')}</optgroup>
</select></label>
<label>Language <select id="language">${option('', 'any')}${languages()}</select></label>
<label>From <input id="from" type="date"></label>
<label>To <input id="to" type="date"></label>
<span class="actions"><button class="primary" type="submit">Search</button>
<button type="reset">Clear</button></span>
</form>
<p id="found" role="status" aria-live="polite" class="quiet"></p>
<p id="compare" class="note" hidden><span id="chosen"></span>
<a id="compare-link" class="button" href="compare">Compare them</a></p>
<ol id="recordings" class="results" aria-label="Recordings found"></ol>
<button id="more" type="button" hidden>Older recordings</button>`;

export const compareBody = `<nav class="trail" aria-label="Above this page">
<a href="recordings">Recordings</a></nav>
<h1>Two recordings</h1>
<div class="card scrolled" tabindex="0" role="region" aria-label="Figures of both recordings">
<table id="figures"></table></div>
<div id="transcripts" class="two"></div>`;

export const batchesBody = `<h1>Batches</h1>
<div id="batches"></div>
<button id="more" type="button" hidden>Older batches</button>`;

const formatButtons = Object.entries(exportFormats)
  .map(([name, { purpose }]) => {
    const short = purpose.split(';')[0];
    const label = `<strong>${name}</strong> <span class="quiet">${short}</span>`;
    return `<button type="button" data-format="${name}">${label}</button>`;
  })
  .join('');

export const batchBody = `<nav class="trail" aria-label="Above this page">
<a href="batches">Batches</a></nav>
<div class="line"><h1 id="title" dir="auto">Batch</h1><span class="actions">
<details id="exports" class="menu"><summary class="button">Download</summary>
<div><button type="button" data-format="jsonl"><strong>jsonl</strong>
<span class="quiet">all results, a line of JSON each</span></button>
<p class="quiet">A ZIP archive with a file per recording:</p>${formatButtons}</div></details>
<span id="actions"></span></span></div>
<section id="state" class="card" aria-label="Progress"></section>
<section aria-labelledby="items-title"><div class="line"><h2 id="items-title">Recordings</h2>
<label class="inline">Show <select id="status">${option('', 'all')}
${['queued', 'running', 'completed', 'failed', 'cancelled'].map((name) => option(name)).join('')}
</select></label></div>
<ul id="items" class="card files"></ul>
<button id="more" type="button" hidden>More recordings</button></section>`;

const player = `<section class="card player" aria-labelledby="player-title">
<h2 id="player-title" class="visually-hidden">Player and timeline</h2>
<div class="controls"><button id="play" class="primary" type="button" disabled>Play</button>
<span class="joined"><button id="back" type="button" aria-label="Back 5 s">−5 s</button>
<button id="forth" type="button" aria-label="Ahead 5 s">+5 s</button></span>
<output id="clock" aria-label="Position">0:00</output>
<label class="inline">Speed <select id="speed">${['0.75', '1', '1.25', '1.5', '2']
  .map((rate) => option(rate, `${rate}×`, rate === '1'))
  .join('')}</select></label>
<label class="check"><input id="follow" type="checkbox" checked> Follow the words</label>
<span id="sound-note" class="quiet"></span>
<button id="link" type="button">Copy link to this moment</button></div>
<div class="tracks"><div id="lane-names" class="lane-names" aria-hidden="true"></div>
<div id="timeline" class="timeline" role="slider" tabindex="0" aria-valuemin="0"
aria-valuemax="0" aria-valuenow="0" aria-label="Position in the recording">
<div id="wave" class="wave-lane"></div><div id="lanes"></div>
<div id="playhead" aria-hidden="true"></div></div></div>
<div id="axis" class="axis quiet" aria-hidden="true"></div>
<div id="now" class="now" role="group" aria-label="At this moment"></div>
<div id="moments" class="moments"></div>
</section>`;

export const recordingBody = `<nav class="trail" aria-label="Above this page">
<a href="recordings">Recordings</a>
<a id="batch-link" href="batches" dir="auto">Batch</a></nav>
<div class="line"><h1 id="title" dir="auto">Recording</h1>
<span class="actions"><details id="exports" class="menu"><summary class="button">Download</summary>
<div>${formatButtons}</div></details>
<button id="rename" type="button" hidden>Name speakers</button>
<button id="remove" type="button" class="danger">Delete</button></span></div>
<p id="facts" class="quiet"></p>
<p id="note" class="note" hidden></p>
${player}
<div class="reading"><section class="card" aria-labelledby="transcript-title">
<div class="line"><h2 id="transcript-title">Transcript</h2>
<form id="find" role="search" aria-label="Search in the transcript" class="inline">
<input id="find-text" type="search" aria-label="Words to find" placeholder="Find in transcript">
<button type="submit">Next</button><output id="find-count" class="quiet"></output></form></div>
<label id="redacted-label" class="check"><input id="redacted" type="checkbox"> Hide card, account
and telephone numbers and e-mail addresses</label>
<p id="redacted-note" class="quiet" role="status"></p>
<p id="unsure-note" class="quiet"></p>
<p id="labels-note" class="quiet"></p>
<ol id="transcript"></ol></section>
<section class="card" aria-labelledby="talk-title"><h2 id="talk-title">Talk</h2>
<div id="shares"></div>
<div class="scrolled" tabindex="0" role="region" aria-label="Figures of each speaker">
<table id="talk" class="figures"></table></div></section></div>`;
