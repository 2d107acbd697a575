import { join } from 'node:path';
import { build } from 'esbuild';
import { html } from '../../../shared/text/html.ts';
import { scriptOptions } from '../../build/browser.ts';
import { mailboxTexts as texts } from './browser/texts.ts';

/** The files of the page, by name. */
type Files = ReadonlyMap<string, Uint8Array>;

let files: Promise<Files> | undefined;

const buildFiles = async (): Promise<Files> => {
  const entryPoints = ['mailbox.ts', 'mailbox.css'].map((name) =>
    join(import.meta.dirname, 'browser', name),
  );
  const { outputFiles } = await build({
    ...scriptOptions,
    splitting: false,
    entryNames: '[name]',
    assetNames: '[name]',
    outdir: 'mailbox',
    entryPoints,
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1) ?? '', contents]),
  );
};

/** Returns a file of the page. They are bundled at the first request, so that the service starts without. */
export const getPageFile = async (name: string): Promise<Uint8Array | undefined> => {
  files ??= buildFiles();
  return (await files).get(name);
};

/** Renders the page of the mailbox, below its path, which ends in no slash. Its script fills it. */
export const mailboxPage = (path: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title} · Handbill</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/mailbox.css">
<script type="module" src="${path}/mailbox.js"></script>
</head>
<body data-path="${path}">
<header class="reader-bar"><span class="brand"><span class="hide-s">Handbill</span></span><h1 class="at cut">${texts.title}</h1><span class="badge hide-s"><i class="i-info" aria-hidden="true"></i>${texts.stays}</span><div class="find end"><i class="i-search" aria-hidden="true"></i><input class="in" type="search" aria-label="${texts.search}" placeholder="${texts.search}"></div><button type="button" class="btn ghost" id="clear"><i class="i-trash" aria-hidden="true"></i>${texts.clear}</button></header>
<noscript><p class="note warn">${texts.needsScript}</p></noscript>
<p class="vh" role="status" id="status"></p>
<main class="boxm"><nav aria-label="${texts.emails}"><ul id="list"></ul><p class="none" id="none" hidden>${texts.none}</p></nav>
<article id="mail" tabindex="-1" aria-labelledby="subject" hidden><header><button type="button" class="btn sm" id="back"><i class="i-left" aria-hidden="true"></i>${texts.emails}</button><h2 id="subject"></h2><dl><dt>${texts.from}</dt><dd id="from"></dd><dt>${texts.to}</dt><dd id="to"></dd></dl>
<div class="row wrap"><span class="seg" role="group" aria-label="${texts.showAs}"><button type="button" data-show="html" aria-pressed="true">${texts.email}</button><button type="button" data-show="text" aria-pressed="false">${texts.plainText}</button><button type="button" data-show="source" aria-pressed="false">${texts.source}</button></span><a class="btn sm primary end" id="open" target="_blank" rel="noreferrer"><i class="i-open" aria-hidden="true"></i>${texts.openLink}</a></div></header>
<iframe id="frame" title="${texts.email}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe><pre id="plain" tabindex="0" hidden></pre></article></main>
</body>
</html>
`.markup;
