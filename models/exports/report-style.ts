// The style of the HTML report: the face of the console, printable.
import { themeStyle } from './theme.ts';

export const reportStyle = `
${themeStyle}
*{box-sizing:border-box}
body{max-width:72rem;margin:0 auto;padding:1.2rem clamp(.8rem,3vw,2rem) 3rem}
h1{font-size:1.5rem;margin:.4rem 0}
h2{font-size:1.05rem;margin:1rem 0 .4rem}
main{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);
padding:.6rem clamp(.8rem,2vw,1.4rem) 1.2rem}
.facts,.legend,.ticks{color:var(--quiet);font-size:.88rem;margin:.3rem 0}
svg{width:100%;display:block;background:var(--raised);border-radius:4px}
.wave{fill:var(--wave)}
.key{display:inline-flex;gap:.35rem;align-items:baseline;max-width:100%;margin-right:.9rem}
.key svg{flex:none;width:.75rem;height:.75rem;background:none}
.lane{color:var(--quiet);font-size:.88rem;margin:.4rem 0 .1rem}
.ticks{display:flex;justify-content:space-between;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%}
th,td{text-align:start;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);
vertical-align:top;font-weight:normal}
thead th{color:var(--quiet);font-size:.88rem}
td,thead th{font-variant-numeric:tabular-nums;overflow-wrap:break-word}
tbody th{min-width:9rem;max-width:14rem}
.transcript td:first-child{color:var(--quiet)}
.transcript th{font-weight:600}
.transcript p{margin:0;overflow-wrap:anywhere}
.labels{color:var(--quiet);font-size:.88rem}
.note{border-left:4px solid var(--warn);background:var(--surface);padding:.5rem .9rem;
border-radius:4px}
.unsure{text-decoration:underline dotted 2px;text-decoration-color:var(--warn);
text-underline-offset:.25em}
.wide{overflow-x:auto}
@media screen and (max-width:36rem){.transcript tr{display:grid;
grid-template-columns:auto minmax(0,1fr);column-gap:.8rem;
border-bottom:1px solid var(--line);padding:.4rem 0}
.transcript :is(td,th){border:none;padding:0;min-width:0;max-width:none}
.transcript td:last-child{grid-column:1/-1}}
@page{margin:1.6cm}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:10.5pt}
main{border:none;padding:0}svg{print-color-adjust:exact}
tr,svg,.legend{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}}
`;
