import { type Html, html } from '../../../../shared/text/html.ts';
import type { FileType } from '../../../api/files/record/file.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { filesTexts as texts } from './texts.ts';
import { shows } from './view.ts';

const select = (id: string, label: string, options: readonly (readonly [string, string])[]): Html =>
  html`<div class="field" id="${id}-field"><label for="${id}">${label}</label>
<select id="${id}" autocomplete="off">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></div>`;

/** What stands before a name, by the type of the file; drawn in 24 by 24. */
const shapes = {
  folder:
    'M4 5h5.5l2 2.2H20a1.4 1.4 0 0 1 1.4 1.4v9A1.4 1.4 0 0 1 20 19H4a1.4 1.4 0 0 1-1.4-1.4V6.4A1.4 1.4 0 0 1 4 5z',
  image:
    'M3.5 4.5h17v15h-17zM4 18l5.5-4.5 3 2.2 3.5-3.7 4.5 4.5M10.5 9.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0z',
  video: 'M3.5 4.5h17v15h-17zM10 9l5 3-5 3z',
  audio:
    'M9.5 17.5v-12l9-2v12M9.5 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM18.5 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  document: 'M6 2.8h8l4.2 4.2v14.2H6zM14 3v4.2h4M9 12h6.2M9 15h6.2M9 18h4',
  archive: 'M3.5 4.5h17v4h-17zM5 8.5v11h14v-11M9.5 12h5',
  other: 'M6 2.8h8l4.2 4.2v14.2H6zM14 3v4.2h4',
} as const satisfies Readonly<Record<FileType, string>>;

const icons = html`<svg hidden aria-hidden="true">${Object.entries(shapes).map(([type, shape]) => html`<symbol id="icon-${type}" viewBox="0 0 24 24"><path d="${shape}"/></symbol>`)}</svg>`;

const storage = html`<div class="storage" id="storage-field" hidden><label for="storage">${texts.storage}</label>
<meter id="storage" min="0" max="1" value="0" aria-describedby="used"></meter>
<p class="hint" id="used"></p></div>`;

const uploading = html`<div class="tools" id="tools" hidden>
<input class="visually-hidden" id="choose" type="file" multiple><label class="button" for="choose">${texts.upload}</label>
<button type="button" class="quiet" id="new-folder">${texts.newFolder}</button>
<p class="hint" id="drop-hint">${texts.dropHint}</p></div>
<p class="hint" id="may-not-upload" hidden>${texts.mayNotUpload}</p>
<section class="card" id="uploads" aria-labelledby="uploads-title" hidden>
<div class="title"><h2 id="uploads-title" tabindex="-1">${texts.uploads}</h2>
<button type="button" class="quiet" id="clear" hidden>${texts.clear}</button></div>
<ul class="records" id="upload-list"></ul>
</section>
<p class="told" id="uploads-told" role="status"></p>
<p class="wrong" id="uploads-wrong" role="alert"></p>`;

const filter = html`<form class="filter" id="filter" role="search" autocomplete="off">
<div class="field"><label for="search">${texts.search}</label>
<input id="search" type="search" maxlength="200" autocomplete="off" aria-describedby="search-hint">
<p class="hint" id="search-hint">${texts.searchHint}</p></div>
${select(
  'show',
  texts.show,
  shows.map((show) => [show, texts[show]]),
)}
${select('sort', texts.sort, [
  ['createdAt', texts.newest],
  ['name', texts.byName],
])}
</form>`;

const list = html`<nav id="path-field" aria-label="${texts.path}"><ol class="path" id="path"></ol></nav>
<p class="done" id="files-done" role="status"></p>
<p class="wrong" id="files-wrong" role="alert"></p>
<ul class="records" id="files"></ul>
<div class="none" id="none" hidden><p id="none-text"></p><p class="hint" id="none-about"></p></div>
<p id="found" role="status"></p>
<button type="button" class="quiet" id="more" hidden>${texts.more}</button>`;

const naming = html`<dialog id="naming" aria-labelledby="naming-title"><form id="naming-form" autocomplete="off" novalidate>
<h2 id="naming-title"></h2>
<label for="naming-name">${texts.name}</label>
<input id="naming-name" name="name" maxlength="255" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="naming-name-wrong">
<p class="wrong" id="naming-name-wrong" role="alert"></p>
<p class="wrong" data-failure role="alert"></p>
<p class="choice"><button type="button" class="quiet" data-closes="naming">${texts.cancel}</button>
<button type="submit" id="naming-save">${texts.save}</button></p>
</form></dialog>`;

const moving = html`<dialog id="moving" aria-labelledby="moving-title">
<h2 id="moving-title"></h2>
<nav aria-label="${texts.moveTo}"><ol class="path" id="moving-path"></ol></nav>
<ul class="records" id="moving-folders"></ul>
<p class="hint" id="moving-none" role="status"></p>
<p class="wrong" id="moving-wrong" role="alert"></p>
<p class="choice"><button type="button" class="quiet" data-closes="moving">${texts.cancel}</button>
<button type="button" id="move-here">${texts.moveHere}</button></p>
</dialog>`;

const confirm = html`<dialog id="confirm" aria-labelledby="confirm-title" aria-describedby="confirm-text"><form method="dialog">
<h2 id="confirm-title">${texts.deleteTitle}</h2>
<p id="confirm-text"></p>
<p class="choice"><button class="quiet" value="cancel" autofocus>${texts.cancel}</button>
<button class="danger" value="delete">${texts.delete}</button></p>
</form></dialog>`;

/** The page of files: places for what its script is told by the API. */
export const filesPage = (): ShellPage => ({
  title: texts.title,
  path: '/files',
  styles: ['files.css'],
  script: 'files.js',
  main: html`<div class="plain files" id="main">
<div class="top"><h2 class="vh" id="files-title" tabindex="-1">${texts.title}</h2>
${storage}</div>
<p id="loading" role="status">${texts.loading}</p>
<p class="wrong" id="failure" role="alert"></p>
<div id="content" hidden>
${uploading}
${filter}
${list}
</div>
<p class="drop-place" id="drop-place" aria-hidden="true" hidden></p>
${naming}
${moving}
${confirm}
${icons}
</div>`,
});
