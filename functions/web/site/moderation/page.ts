import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { moderationTexts as texts } from './texts.ts';

/**
 * Renders the moderation page, which its script fills. `previewUrl` is the page of the
 * snippets host that shows HTML.
 */
export const moderationPage = (previewUrl: string): ShellPage => ({
  title: texts.title,
  path: '/moderation',
  styles: ['moderation.css'],
  script: 'moderation.js',
  main: html`<div id="moderation" data-frame="${previewUrl}"></div>`,
});
