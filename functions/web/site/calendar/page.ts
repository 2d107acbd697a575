import { can } from '../../../../shared/permissions/permissions.ts';
import { html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { calendarTexts as texts } from './texts.ts';

/** Renders the calendar page, which its script fills. */
export const calendarPage = (session: PageSession): ShellPage => {
  const mayCreate = session.state === 'signed-in' && can(session.permissions, 'calendar:create');
  const newEvent = html`<a class="btn primary" id="new-event" href="/calendar?new=event" aria-label="${texts.newEvent}">${icon('plus')}<span class="word">${texts.newEvent}</span></a>`;
  return {
    title: texts.title,
    path: '/calendar',
    actions: html`<a class="btn ghost" id="feed" href="/calendar?open=feed" aria-label="${texts.feed}">${icon('link')}<span class="word">${texts.feed}</span></a>${mayCreate ? newEvent : undefined}`,
    styles: ['calendar.css'],
    script: 'calendar.js',
    main: html`<div id="calendar"></div>`,
  };
};
