import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { messagesTexts as texts } from './texts.ts';

/** Renders the page of messages, which its script fills. */
export const messagesPage = (): ShellPage => ({
  title: texts.title,
  path: '/messages',
  styles: ['messages.css'],
  script: 'messages.js',
  main: html`<div id="messages"></div>`,
});
