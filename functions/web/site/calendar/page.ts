import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { calendarTexts as texts } from './texts.ts';

/** Renders the page of calendar, which its script fills. */
export const calendarPage = (): ShellPage => ({
  title: texts.title,
  path: '/calendar',
  styles: ['calendar.css', 'calendar-event.css'],
  script: 'calendar.js',
  main: html`<div id="calendar"></div>`,
});
