import { readFile } from 'node:fs/promises';
import { micromark } from 'micromark';
import { drawPng } from './draw-png.ts';
import { findFont } from './font.ts';

/** The texts of a site, by the folders of its pages. */
const texts: Readonly<Record<string, string>> = {
  '': '# Home\n\nWelcome. ![Dune](/img/dune.png)\n\n[Read the guide](/guide/)',
  guide: '# Guide\n\n[First steps](/guide/first-steps/) and [a note](notes.txt)',
  'guide/first-steps': '# First steps\n\n[Back to the guide](../)',
};

const toPage = (text: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Site</title>
<link rel="stylesheet" href="/css/site.css"><link rel="alternate" href="/feed.xml"></head>
<body><nav><a href="/">Start</a> <a href="/guide/">All guides</a></nav>
<img alt="Logo" src="/img/dune.png" srcset="/img/dune.png 1x, /img/dune-2.png 2x">
<main>${micromark(text)}</main><script src="/js/menu.js"></script></body></html>`;

/** Generates a site of several pages, as site generators do: each page is a folder, and addresses begin with \`/\`. */
export const buildSite = async (): Promise<Map<string, Buffer>> => {
  const files = new Map<string, Buffer>();
  const add = (path: string, content: string | Buffer): unknown =>
    files.set(path, Buffer.from(content));
  for (const [folder, text] of Object.entries(texts)) {
    add(folder === '' ? 'index.html' : `${folder}/index.html`, toPage(text));
  }
  add('404.html', toPage('# Not found'));
  add('guide/notes.txt', 'Bring a coat.');
  add('feed.xml', '<feed xmlns="http://www.w3.org/2005/Atom"/>');
  add('css/site.css', '@import "base.css"; nav { background: url(/img/dune.png) }');
  add(
    'css/base.css',
    '@font-face { font-family: Site; src: url("../fonts/site.woff2") } body { font-family: Site }',
  );
  add('js/menu.js', 'document.querySelector("nav").dataset.pages = document.links.length;');
  add(
    'img/dune.png',
    drawPng(30, (x, y) => [x * 8, y * 8, 90]),
  );
  add(
    'img/dune-2.png',
    drawPng(60, (x, y) => [x * 4, y * 4, 90]),
  );
  add('fonts/site.woff2', await readFile(findFont()));
  return files;
};
