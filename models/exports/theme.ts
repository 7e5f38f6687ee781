// The face that console, documents and report share: colours of both modes, type, spacing.

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
/** In the order of the style labels. */
const styleColours = [
  '#e8590c',
  '#c2255c',
  '#d9480f',
  '#f08c00',
  '#66a80f',
  '#9c36b5',
  '#868e96',
  '#6741d9',
  '#1971c2',
  '#099268',
  '#5c7cfa',
  '#495057',
  '#364fc7',
  '#0c8599',
  '#a61e4d',
  '#b197fc',
];
/** Distinct also for people who do not see red and green apart, in both modes. */
const speakerColours = ['#3b7dd8', '#e07a2f', '#2e9e6b', '#b04fb0', '#b5952a', '#d0475f'];

const fills = (prefix: string, colours: readonly string[]): string =>
  colours.map((colour, i) => `.${prefix}${i}{fill:${colour};--own:${colour}}`).join('\n');

/** Text on either surface has a contrast of at least 4.5 in both modes. */
export const themeStyle = `:root{color-scheme:light dark;
--page:light-dark(#f5f6f8,#0f1218);--surface:light-dark(#ffffff,#171b23);
--raised:light-dark(#eef1f5,#202632);--ink:light-dark(#14171f,#e8ebf1);
--quiet:light-dark(#535a67,#a7afbd);--line:light-dark(#d5dae2,#303846);
--accent:light-dark(#1f55c4,#86abff);--on-accent:light-dark(#ffffff,#0b1020);
--good:light-dark(#146c3b,#72d69d);--bad:light-dark(#b3261e,#ff9b93);
--warn:light-dark(#865000,#f2b95f);--wave:light-dark(#6b87ab,#6f8db5);
--mark:light-dark(#ffe08a,#6b5200);--radius:10px;--gap:1rem;
--font:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
body{background:var(--page);color:var(--ink);font:15px/1.55 var(--font);overflow-wrap:anywhere}
${fills('e', emotionColours)}
${fills('y', styleColours)}
${fills('s', speakerColours)}
.faint{opacity:.35}
`;
