import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { findFont } from './font.ts';
import { readFolder } from './read-folder.ts';

/** The sources of an app: modules, one of them loaded later with its own style, a font, images and data. */
const sources: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tides</title>
<link rel="icon" href="/icon.svg"></head>
<body><main id="app"></main><script type="module" src="/src/main.js"></script></body></html>`,
  'src/main.js': `import './style.css';
import wave from './wave.svg?no-inline';
import { format } from './format.js';
const app = document.querySelector('#app');
app.innerHTML = '<h1>' + format(42) + '</h1><img id="wave" alt="Wave"><button>More</button><p id="data"></p>';
document.querySelector('#wave').src = wave;
document.querySelector('button').addEventListener('click', async () => {
  const { show } = await import('./details.js');
  show(app);
});
const response = await fetch(new URL(import.meta.env.BASE_URL + 'data.json', document.baseURI));
document.querySelector('#data').textContent = (await response.json()).place;
`,
  'src/format.js': "export const format = (tide) => 'Tide ' + tide;",
  'src/details.js': `import './details.css';
export const show = (app) => app.insertAdjacentHTML('beforeend', '<section>Details</section>');`,
  'src/details.css': 'section { color: rgb(1, 2, 3) }',
  'src/style.css': `@font-face { font-family: Tide; src: url(./tide.woff2) format('woff2') }
body { font-family: Tide; background: url(./wave.svg?no-inline) }`,
  'src/wave.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 10q10-20 20 0t20 0"/></svg>',
  'public/icon.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="9"/></svg>',
  'public/data.json': '{"place":"Husum"}',
};

/** Builds an app by Vite and returns its files. `base` is Vite’s option: by default, addresses begin with `/`. */
export const buildViteApp = async (base: '/' | './'): Promise<Map<string, Buffer>> => {
  const root = await mkdtemp(join(tmpdir(), 'vite-app-'));
  try {
    for (const [path, text] of Object.entries(sources)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await copyFile(findFont(), join(root, 'src/tide.woff2'));
    await build({ root, base, configFile: false, logLevel: 'silent', build: { target: 'esnext' } });
    return await readFolder(join(root, 'dist'));
  } finally {
    await rm(root, { recursive: true });
  }
};
