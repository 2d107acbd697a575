import { can } from '../../../../shared/permissions/permissions.ts';
import { html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { filesTexts as texts } from './texts.ts';

const actions = html`<button type="button" class="btn" id="new-folder" aria-label="${texts.newFolder}">${icon('folder')}<span class="word">${texts.newFolder}</span></button><button type="button" class="btn primary" id="upload" aria-label="${texts.upload}">${icon('upload')}<span class="word">${texts.upload}</span></button>`;

/** Renders the page of files, which its script fills. */
export const filesPage = (session: PageSession): ShellPage => {
  const mayUpload = session.state === 'signed-in' && can(session.permissions, 'files:create');
  return {
    title: texts.title,
    path: '/files',
    ...(mayUpload && { actions }),
    styles: ['files.css'],
    script: 'files.js',
    main: html`<div id="files"></div>`,
  };
};
