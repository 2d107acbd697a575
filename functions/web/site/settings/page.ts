import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { settingsTexts as texts } from './texts.ts';

/** Renders the page of the settings and the health of the service, which its script fills. */
export const settingsPage = (): ShellPage => ({
  title: texts.title,
  path: '/settings',
  styles: ['settings.css'],
  script: 'settings.js',
  main: html`<div class="pad settings" id="settings"></div>`,
});
