import { Html, html } from '../../../../shared/text/html.ts';
import { assetPath } from '../../layout/asset.ts';
import { document } from '../../layout/document.ts';
import { siteTexts } from '../../layout/texts.ts';
import {
  type ApiDocument,
  type Group,
  getErrorCode,
  type Part,
  readApiDocument,
} from './api-document.ts';
import { command, inlineMarkdown, json, markdown, verb } from './markup.ts';
import { renderOperation } from './operation.ts';
import { exampleOrigin, startName } from './origin.ts';
import { referenceTexts as texts } from './texts.ts';

const pathOf = (name: string): string => (name === startName ? '/api/docs' : `/api/docs/${name}`);

const isCurrent = new Html(' aria-current="true"');

const bar = (version: string): Html =>
  html`<header class="reader-bar"><a class="brand" href="/"><span class="vh">${siteTexts.brand}</span></a><h1 class="at cut">${texts.title}</h1><span class="badge hide-s">${texts.version(version)}</span><button type="button" class="btn only-s end" popovertarget="operation-list"><i class="i-menu" aria-hidden="true"></i>${texts.operations}</button><a class="btn end-wide" href="/api/openapi.json" aria-label="${texts.document}"><i class="i-load" aria-hidden="true"></i><span class="hide-s">${texts.document}</span></a></header>\n`;

const groupLinks = ({ name, title, operations }: Group, here: string): Html =>
  html`<details${name === here ? new Html(' open') : undefined}><summary>${title}</summary>${operations.map(
    ({ method, operationId, summary }) =>
      html`<a href="${name === here ? '' : pathOf(name)}#${operationId}">${verb(method)}<span class="cut">${summary}</span></a>\n`,
  )}</details>\n`;

const navigation = (groups: readonly Group[], here: string): Html =>
  html`<nav id="operation-list" popover aria-label="${texts.operations}"><div class="find" hidden><i class="i-search" aria-hidden="true"></i><input class="in" type="search" aria-label="${texts.search}" placeholder="${texts.search}"></div>
<a href="/api/docs"${here === startName ? isCurrent : undefined}>${texts.start}</a><a href="/api/docs#errors">${texts.errors}</a>
${groups.map((group) => groupLinks(group, here))}<p class="none" role="status"></p></nav>\n`;

const start = ({ description, groups, errors }: ApiDocument): Html => {
  const invalid = errors.find((error) => getErrorCode(error) === 'VALIDATION_ERROR');
  return html`<section class="op" id="start" aria-labelledby="start-t"><div><h2 id="start-t">${texts.start}</h2>
<div class="about">${markdown(description)}</div></div>
<div class="ex">${command(texts.request, `curl "${exampleOrigin}/api/auth/me" \\\n  -H "Authorization: Bearer $TOKEN"`)}</div></section>
<section class="op" id="errors" aria-labelledby="errors-t"><div><h2 id="errors-t">${texts.errors}</h2>
<div class="about">${markdown(texts.errorsAbout)}</div>
<ul class="par">${errors.map((error) => {
    const code = getErrorCode(error);
    return html`<li id="${code}"><span><code>${code}</code></span><div>${inlineMarkdown(error.description)}</div></li>\n`;
  })}</ul></div>
<div class="ex">${invalid && json(texts.response('400'), invalid.content?.['application/json']?.example)}</div></section>
<section class="op" id="groups" aria-labelledby="groups-t"><div><h2 id="groups-t">${texts.groups}</h2>
<ul class="par">${groups.map(({ name, title, description: about }) => html`<li><a href="${pathOf(name)}">${title}</a><div>${markdown(about)}</div></li>\n`)}</ul><p>${texts.packages} <a href="/licenses">${texts.licenses}</a></p></div></section>\n`;
};

const groupPage = (
  { title, description, operations }: Group,
  resolve: ApiDocument['resolve'],
): Html =>
  html`<header class="group"><h2>${title}</h2><div class="about">${markdown(description)}</div></header>
${operations.map((operation) => renderOperation(operation, resolve))}`;

const render = (api: ApiDocument, name: string, title: string, main: Html): string =>
  document({
    title: `${title} · ${texts.title} · ${siteTexts.brand}`,
    theme: undefined,
    styles: ['api-reference.css'],
    scripts: ['api-reference.js'],
    // Only the console uses these: the script loads them with it. Browsers may load what is disabled ahead.
    head: html`<link rel="stylesheet" data-console="/api/docs/swagger-ui.css">
<link rel="stylesheet" data-console="${assetPath('try-it.css')}">\n`,
    contentId: 'page',
    isReadable: true,
    body: html`${bar(api.version)}<div class="ref">${navigation(api.groups, name)}<main id="page" tabindex="-1">
${main}</main></div>`,
  });

/** Renders the pages of the API reference from the OpenAPI document: the start, and one for each group. */
export const renderReference = (openApi: Part): Readonly<Record<string, string>> => {
  const api = readApiDocument(openApi);
  const groups = api.groups.map((group) => [
    group.name,
    render(api, group.name, group.title, groupPage(group, api.resolve)),
  ]);
  return Object.fromEntries([
    [startName, render(api, startName, texts.start, start(api))],
    ...groups,
  ]);
};
