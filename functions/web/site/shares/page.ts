import { html } from '../../../../shared/text/html.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { sharesTexts as texts } from './texts.ts';

/** Renders the page of your shares, which its script fills. */
export const sharesPage = (): ShellPage => ({
  title: texts.title,
  path: '/shares',
  actions: html`<a class="btn primary hide-s" href="/">${icon('plus')}${texts.create}</a>`,
  styles: ['shares.css'],
  script: 'shares.js',
  main: html`<div id="shares"></div>`,
});
