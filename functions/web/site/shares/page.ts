import { html } from '../../../../shared/text/html.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { sharesTexts as texts } from './texts.ts';

/** Renders the page of your shares and of those for you, which its script fills. */
export const sharesPage = (): ShellPage => ({
  title: texts.title,
  path: '/shares',
  besideTitle: html` <span class="count" id="total" hidden></span>`,
  actions: html`<a class="btn primary" href="/" aria-label="${texts.create}">${icon('plus')}<span class="word">${texts.create}</span></a>`,
  styles: ['shares.css'],
  script: 'shares.js',
  main: html`<div id="shares"></div>`,
});
