import { drawPng } from './draw-png.ts';

const months = ['January', 'February', 'March', 'April'];
const levels = [1.2, 2.4, 1.8, 3.1];

/** Draws a chart as tools of statistics do. */
const drawChart = (): string => {
  const bars = levels.map(
    (level, at) =>
      `<rect x="${at * 30}" y="${100 - level * 30}" width="20" height="${level * 30}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="100">${bars.join('')}</svg>`;
};

const figures = (): readonly (readonly [string, Buffer])[] => [
  ['figures/levels.svg', Buffer.from(drawChart())],
  ['figures/map.png', drawPng(40, (x, y) => [x * 6, y * 6, (x * y) % 256])],
];

/** Writes a report in Markdown with figures and data beside it, in a folder, as tools export one. */
export const writeReport = (): Map<string, Buffer> =>
  new Map([
    [
      'report/report.md',
      Buffer.from(`# Levels

![Levels by month](figures/levels.svg)
<img src="./figures/map.png" alt="Map" width="40">

| Month | Level |
|---|---|
${months.map((month, at) => `| ${month} | ${levels[at]} |`).join('\n')}

[All values](data/levels.csv)
`),
    ],
    [
      'report/data/levels.csv',
      Buffer.from(
        ['month,level', ...months.map((month, at) => `${month},${levels[at]}`)].join('\n'),
      ),
    ],
    ...figures().map(([path, bytes]) => [`report/${path}`, bytes] as const),
  ]);

/** Exports a notebook as a page with the figures of its cells beside it, a widget that sends, and one that stores. */
export const exportNotebook = (): Map<string, Buffer> =>
  new Map([
    [
      'notebook.html',
      Buffer.from(`<!DOCTYPE html><html><head><meta charset="utf-8"/><title>Notebook</title>
<style>.output img { max-width: 100% } .cell { border-left: 2px solid #999 }</style></head><body>
${figures()
  .map(
    ([path], at) =>
      `<div class="cell"><pre>In [${at + 1}]: plot()</pre><div class="output"><img alt="Out ${at + 1}" src="${path}"/></div></div>`,
  )
  .join('\n')}
<p id="sent"></p><script>
fetch('https://telemetry.example.com/opened', { method: 'POST', body: document.title }).then(
  () => 'sent', () => 'not sent').then((text) => { document.querySelector('#sent').textContent = text; });
</script></body></html>`),
    ],
    ...figures(),
  ]);
