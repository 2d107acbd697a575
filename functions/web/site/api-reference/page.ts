import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { apiReferenceTexts as texts } from './texts.ts';

const actions = html`<a class="btn" href="/api/openapi.json">${texts.document}</a>`;

/** Describes the API reference. Its script loads the reader, Swagger UI, which the docs function serves. */
export const apiReferencePage = (): ShellPage => ({
  title: texts.title,
  path: '/api/docs',
  actions,
  styles: ['api-reference.css'],
  script: 'api-reference.js',
  main: html`<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<noscript><p class="pad">${texts.download} <a href="/api/openapi.json">/api/openapi.json</a></p></noscript>
<div class="note" id="who" hidden></div>
<div id="reader"><p class="pad mute">${texts.loading}</p></div>`,
});
