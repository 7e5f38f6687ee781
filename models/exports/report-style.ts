// The style of the HTML report: one colour per speaker and emotion, light and dark, printable.

/** In the order of the emotion labels; neutral, the last, is grey. */
const emotionColours = [
  '#f2b705',
  '#f28705',
  '#8bc34a',
  '#4a6fa5',
  '#7e57c2',
  '#d32f2f',
  '#e64a19',
  '#8d6e63',
  '#5e35b1',
  '#558b2f',
  '#00acc1',
  '#ec407a',
  '#ffb300',
  '#26a69a',
  '#9e9e9e',
];
const speakerColours = ['#3b7dd8', '#e07a2f', '#2e9e6b', '#b04fb0', '#b5952a', '#d0475f'];

const coloured = (prefix: string, colours: readonly string[]): string =>
  colours.map((colour, i) => `.${prefix}${i}{fill:${colour}}`).join('');

export const reportStyle = `
:root{color-scheme:light dark;--line:#8884;--wave:#6a8caf;--quiet:light-dark(#595959,#b0b0b0)}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1rem;margin:1.2rem 0 .3rem}
.facts,.legend,.ticks{color:var(--quiet);font-size:.85rem;margin:.2rem 0}
svg{width:100%;display:block;background:#8881;border-radius:4px}
.wave{fill:var(--wave)}
.key{white-space:nowrap;margin-right:.8rem}
.key svg{display:inline-block;width:.7rem;height:.7rem;margin-right:.3rem;background:none}
.ticks{display:flex;justify-content:space-between}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line);
vertical-align:top;font-weight:normal}
.transcript td:first-child{color:var(--quiet);font-variant-numeric:tabular-nums}
.transcript p{margin:0}
.labels{color:var(--quiet);font-size:.85rem}
.note{border-left:3px solid #d98200;padding:.2rem .6rem;margin:.6rem 0}
.unsure{text-decoration:underline dotted;text-underline-offset:.2em}
.wide{overflow-x:auto}
@media print{body{margin:0}svg{print-color-adjust:exact}}
${coloured('e', emotionColours)}${coloured('s', speakerColours)}
`;
