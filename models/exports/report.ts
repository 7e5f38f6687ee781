// A recording as one self-contained HTML page: waveform, speakers, emotions, numbers, transcript;
// pure.
import { emotionLabels, styleLabels } from '../contract/labels.ts';
import { callMetrics, type CallMetrics, type SpeakerMetrics } from './call-metrics.ts';
import { clock, lengthText } from './clock-texts.ts';
import { escapeHtml } from './escape-html.ts';
import { isUnsureLabel, scoredLabels, textPieces, unsureNote } from './low-confidence.ts';
import { wholePercents } from './percentages.ts';
import { reportStyle } from './report-style.ts';
import { barOf, timeAxis, timeline, waveform } from './timelines.ts';
import { spokenSegments, type ExportedResult, type ExportedSegment } from './exported-result.ts';

export interface ReportOptions {
  readonly title: string;
  /** Outline of the waveform, 0-1; [] without the recording. */
  readonly peaks: readonly number[];
}

/** The page has no script and no reference to anything outside of it. */
export function toHtml(result: ExportedResult, { title, peaks }: ReportOptions): string {
  const { duration, segments, language } = result;
  const spoken = spokenSegments(result);
  const speakers = [...new Set(spoken.map(speakerOf))];
  const bar = barOf(duration);
  const areApart = isSeparated(spoken);
  const laneOf = (name: string, lane: number): string => {
    const colour = `s${lane % 6}`;
    const own = spoken.filter((segment) => speakerOf(segment) === name);
    const head = areApart ? `<p class="lane">${key(colour, name)}</p>` : '';
    return head + timeline(name, own.map((each) => bar(each, colour, name)).join(''));
  };
  const note = unsureNote(result);
  const metrics = callMetrics(result);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${reportStyle}</style></head><body>
<header><h1 dir="auto">${escapeHtml(title)}</h1>
<p class="facts">${factsOf(result.duration, metrics)}</p>
${note === null ? '' : `<p class="note" role="note">${escapeHtml(note)}</p>`}</header>
<main>
${peaks.length === 0 ? '' : `<h2>Waveform</h2>${waveform(peaks)}`}
<h2>${lanesName(spoken)}</h2>
${spoken.length === 0 ? timeline('', '') : speakers.map(laneOf).join('')}
${scoredTrack(segments, bar, 'emotions')}
${scoredTrack(segments, bar, 'styles')}
<div class="ticks">${timeAxis(duration)}</div>
${labelsNote(segments)}
${talkOf(metrics.speakers, spoken)}
<h2>Transcript</h2>
${transcriptTable(spoken.map(transcriptRow(speakers, language ?? null)))}
</main></body></html>
`;
}

const scored = {
  emotions: { heading: 'Emotions', prefix: 'e', labels: emotionLabels },
  styles: { heading: 'Styles', prefix: 'y', labels: styleLabels },
} as const;

/** The likeliest label of each segment that has one, and what the colours mean. */
function scoredTrack(
  segments: readonly ExportedSegment[],
  bar: ReturnType<typeof barOf>,
  kind: keyof typeof scored,
): string {
  const { heading, prefix, labels } = scored[kind];
  const colourOf = (label: string): string =>
    prefix + String((labels as readonly string[]).indexOf(label));
  const own = segments.filter((segment) => segment[kind].length > 0);
  const bars = own.map((segment) => {
    const first = segment[kind][0]!;
    return bar(segment, lookOf(colourOf(first.label), first), `${scoredLabels(segment[kind])}:`);
  });
  const shown = [...new Set(own.map((segment) => segment[kind][0]!.label))];
  const drawn = own.length === 0 ? '' : `<h2>${heading}</h2>${timeline(heading, bars.join(''))}`;
  const legend = shown.map((label) => key(colourOf(label), label)).join(' ');
  return `${drawn}\n<p class="legend">${legend}</p>`;
}

function transcriptTable(rows: readonly string[]): string {
  if (rows.length === 0) return '<p>No speech was found in this recording.</p>';
  const body = `<tbody>\n${rows.join('')}</tbody>`;
  return `<div class="wide"><table class="transcript">${body}</table></div>`;
}

function factsOf(duration: number, metrics: CallMetrics): string {
  const { talkSeconds, silenceSeconds, overlapSeconds } = metrics;
  const parts = [
    `${lengthText(duration)} long`,
    `${lengthText(talkSeconds)} of talk`,
    `${lengthText(silenceSeconds)} of silence`,
    `${lengthText(overlapSeconds)} of overlap`,
  ];
  return parts.join(' · ');
}

/** The class of a label's bar. */
function lookOf(colour: string, label: { readonly score: number }): string {
  return isUnsureLabel(label) ? `${colour} faint` : colour;
}

/** What the marks of labels mean; '' without such. */
function labelsNote(segments: readonly ExportedSegment[]): string {
  const isMarked = segments.some(({ emotions, styles }) =>
    [...emotions, ...styles].some(isUnsureLabel),
  );
  if (!isMarked) return '';
  return '<p>Emotions and styles followed by (?) are uncertain: their score is below 0.5.</p>';
}

function isSeparated(spoken: readonly ExportedSegment[]): boolean {
  return spoken.some(({ speaker }) => speaker !== null);
}

function lanesName(spoken: readonly ExportedSegment[]): string {
  return spoken.length === 0 || isSeparated(spoken) ? 'Speakers' : 'Speech';
}

/** Where speakers were not separated, a speaker's figures would be those of everyone. */
function talkOf(speakers: readonly SpeakerMetrics[], spoken: readonly ExportedSegment[]): string {
  if (spoken.length === 0 || isSeparated(spoken)) return metricsTable(speakers);
  return '<h2>Talk</h2><p>Speakers were not separated.</p>';
}

function metricsTable(speakers: readonly SpeakerMetrics[]): string {
  const shares = wholePercents(speakers.map(({ talkShare }) => talkShare));
  const rows = speakers.map((s, i) => {
    const share = `${shares[i]} %`;
    const wordRate = s.wordsPerMinute === null ? '–' : String(Math.round(s.wordsPerMinute));
    const cells = [lengthText(s.talkSeconds), share, s.turns, wordRate];
    const rest = [lengthText(s.longestMonologueSeconds), s.interruptions];
    const who = `<th scope="row"><bdi>${escapeHtml(speakerOf(s))}</bdi></th>`;
    return row([who, ...[...cells, ...rest].map((cell) => `<td>${cell}</td>`)]);
  });
  const names = ['Speaker', 'Talk', 'Share', 'Turns', 'Words/min', 'Longest', 'Interruptions'];
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = `<thead>${row([head])}</thead><tbody>${rows.join('')}</tbody>`;
  return `<h2>Talk</h2><div class="wide"><table>${body}</table></div>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.join('')}</tr>`;
}

/** @param language in which the words are read out; null when it is not known */
function transcriptRow(
  speakers: readonly string[],
  language: string | null,
): (segment: ExportedSegment) => string {
  const spokenIn = language === null ? '' : ` lang="${escapeHtml(language)}"`;
  return (segment) => {
    const lane = speakers.indexOf(speakerOf(segment)) % 6;
    const said = `<p dir="auto"${segment.text ? spokenIn : ''}>${saidIn(segment)}</p>`;
    const emotions = labelsOf('emotions', segment.emotions);
    const styles = labelsOf('styles', segment.styles);
    const who = `<th scope="row">${key(`s${lane}`, speakerOf(segment))}</th>`;
    return `<tr><td>${clock(segment.start)}</td>${who}<td>${said}${emotions}${styles}</td></tr>`;
  };
}

/** As the console says it; tasks without words have no text. */
function saidIn(segment: ExportedSegment): string {
  return segment.text === '' ? 'No words were understood.' : markedText(segment);
}

/** The words, those of low confidence underlined with their confidence as a hint. */
function markedText(segment: ExportedSegment): string {
  return textPieces(segment)
    .map(({ text, unsure }) => {
      if (unsure === null) return escapeHtml(text);
      const hint = `title="confidence ${unsure.confidence!.toFixed(2)}"`;
      return `<span class="unsure" ${hint}>${escapeHtml(text)}</span>`;
    })
    .join('');
}

function labelsOf(kind: 'emotions' | 'styles', scores: ExportedSegment['emotions']): string {
  if (scores.length === 0) return '';
  return `<p class="labels">${kind}: ${escapeHtml(scoredLabels(scores))}</p>`;
}

function key(kind: string, label: string): string {
  const box = `<rect width="10" height="10" rx="2" class="${kind}"/>`;
  const dot = `<svg viewBox="0 0 10 10">${box}</svg>`;
  return `<span class="key">${dot}<bdi>${escapeHtml(label)}</bdi></span>`;
}

function speakerOf({ speaker }: { readonly speaker: string | null }): string {
  return (speaker ?? 'Speech').replace(/^speaker_(?=\d+$)/, 'Speaker ');
}
