import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { notificationsTexts as texts } from './texts.ts';

/** Renders the page of notifications, which its script fills. */
export const notificationsPage = (): ShellPage => ({
  title: texts.title,
  path: '/notifications',
  styles: ['notifications.css'],
  script: 'notifications.js',
  main: html`<div id="notifications"></div>`,
});
