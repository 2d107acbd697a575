import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { html } from '../../../../shared/text/html.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { notificationsTexts as texts } from './texts.ts';

/** Renders the page of notifications, which its script fills. */
export const notificationsPage = (): ShellPage => {
  return {
    title: texts.title,
    path: '/notifications',
    actions: html`<button type="button" class="btn" id="mark-all" aria-label="${texts.markAll}" disabled>${icon('check')}<span class="word">${texts.markAll}</span></button><a class="btn" id="settings" href="/notifications?open=settings" aria-label="${texts.settings}">${icon('sliders')}<span class="word">${texts.settings}</span></a>`,
    styles: ['notifications.css'],
    script: 'notifications.js',
    main: html`<div id="notifications" data-mail="${isMailOn() ? 'on' : 'off'}"></div>`,
  };
};
