import { can } from '../../../../shared/permissions/permissions.ts';
import { html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { messagesTexts as texts } from './texts.ts';

const actions = html`<a class="btn primary" id="new-message" href="/messages?new=1" aria-label="${texts.newMessage}">${icon('pen')}<span class="word">${texts.newMessage}</span></a>`;

/** Renders the page of messages, which its script fills. */
export const messagesPage = (session: PageSession): ShellPage => {
  const mayWrite = session.state === 'signed-in' && can(session.permissions, 'messages:create');
  return {
    title: texts.title,
    path: '/messages',
    ...(mayWrite && { actions }),
    styles: ['messages.css'],
    script: 'messages.js',
    main: html`<div id="messages"></div>`,
  };
};
