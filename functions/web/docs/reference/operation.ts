import { type Html, html } from '../../../../shared/text/html.ts';
import {
  type ApiDocument,
  getErrorCode,
  type Media,
  type Operation,
  type Parameter,
} from './api-document.ts';
import { createCurl, findExample } from './examples.ts';
import { command, inlineMarkdown, json, markdown, verb } from './markup.ts';
import { describeType, type Field, listFields } from './schema-text.ts';
import { referenceTexts as texts } from './texts.ts';

type Resolve = ApiDocument['resolve'];

const required = html` · <span class="req">${texts.required}</span>`;

const renderFields = (fields: readonly Field[]): Html =>
  html`<ul class="par">${fields.map(
    ({ name, type, isRequired, description }) =>
      html`<li><span><code>${name}</code><small>${type}${isRequired ? required : undefined}</small></span><div>${description === undefined ? undefined : inlineMarkdown(description)}</div></li>\n`,
  )}</ul>\n`;

const toField =
  (resolve: Resolve) =>
  (parameter: Parameter): Field => {
    const schema = resolve(parameter.schema);
    return {
      name: parameter.name,
      type: describeType(schema, resolve),
      isRequired: parameter.required === true,
      description: parameter.description ?? (schema['description'] as string | undefined),
    };
  };

const renderParameters = (
  { parameters }: Operation,
  place: Parameter['in'],
  resolve: Resolve,
): Html | undefined => {
  const fields = parameters.filter((one) => one.in === place).map(toField(resolve));
  return fields.length === 0
    ? undefined
    : html`<h4>${texts.places[place]}</h4>\n${renderFields(fields)}`;
};

const renderBody = ([type, { schema = {} }]: readonly [string, Media], resolve: Resolve): Html => {
  const resolved = resolve(schema);
  const lists = listFields(schema, resolve);
  const whole =
    lists.length === 0 ? inlineMarkdown(String(resolved['description'] ?? '')) : undefined;
  return html`<h4>${texts.body(type)}</h4>\n${whole && html`<p class="small">${whole}</p>`}${lists.map(renderFields)}`;
};

type Response = Operation['responses'][number];

const renderAnswerFields = ({ content = {} }: Response, resolve: Resolve): Html | undefined => {
  const { schema } = content['application/json'] ?? {};
  const lists = schema ? listFields(schema, resolve) : [];
  if (lists.length === 0) return undefined;
  return html`<details><summary>${texts.fields}</summary>${lists.map(
    (fields, at) =>
      html`${at > 0 ? html`<p class="small mt0">${texts.orFields}</p>` : undefined}${renderFields(fields)}`,
  )}</details>`;
};

const renderResponse = (response: Response, resolve: Resolve): Html => {
  const { status, description, headers, content = {} } = response;
  const code = getErrorCode(response);
  const names = Object.keys(headers ?? {}).map((name) => `\`${name}\``);
  const about = [
    description,
    ...(names.length > 0 && !code ? [texts.headers(names.join(', '))] : []),
  ];
  return html`<li><span><code>${status}</code><small>${code ?? Object.keys(content).join(', ')}</small></span><div>${inlineMarkdown(about.join(' '))}${code ? undefined : renderAnswerFields(response, resolve)}</div></li>\n`;
};

const linkError = (response: Response): Html => {
  const code = getErrorCode(response);
  return code === undefined
    ? html` ${response.status}`
    : html` <a href="/api/docs#${code}">${response.status} ${code}</a>`;
};

/** Renders the responses. Errors in the words of all operations are only named. */
const renderResponses = ({ responses }: Operation, resolve: Resolve): Html => {
  const own = responses.filter((one) => !(one.isStandard && getErrorCode(one)));
  const standard = responses.filter((one) => one.isStandard && getErrorCode(one));
  return html`<h4>${texts.responses}</h4>
<ul class="par">${own.map((one) => renderResponse(one, resolve))}</ul>
${standard.length > 0 ? html`<p class="also">${texts.alsoErrors}${standard.map(linkError)}</p>\n` : undefined}`;
};

const describeScope = (scope: string | undefined): string | undefined =>
  scope === 'none' || scope === 'session' ? texts.scopes[scope] : scope;

const describeAccess = ({ access, scope, auditAction }: Operation): string =>
  [
    access in texts.access
      ? texts.access[access as keyof typeof texts.access]
      : texts.permission(access),
    describeScope(scope),
    auditAction && texts.audited(auditAction),
  ]
    .filter((text) => text !== undefined)
    .join(' · ');

const renderExamples = (operation: Operation, resolve: Resolve): Html => {
  const success = operation.responses.find(({ status }) => status.startsWith('2'));
  const media = success?.content?.['application/json'];
  const example = media && findExample(media, resolve);
  return html`<div class="ex">${command(texts.request, createCurl(operation, resolve))}${
    success && example !== undefined ? json(texts.response(success.status), example) : undefined
  }</div>`;
};

/** Renders an operation: what it does, who may call it, what it takes and answers, and an example beside it. */
export const renderOperation = (operation: Operation, resolve: Resolve): Html => {
  const { method, path, operationId, summary, description, body = {} } = operation;
  return html`<section class="op" id="${operationId}" aria-labelledby="${operationId}-t"><div>
<h3 id="${operationId}-t"><a href="#${operationId}">${summary}</a></h3>
${description === undefined ? undefined : html`<div class="sub about">${markdown(description)}</div>\n`}<p class="path">${verb(method)}<code class="grow">${path}</code><button type="button" class="btn sm" data-try aria-describedby="${operationId}-t" hidden><i class="i-play" aria-hidden="true"></i>${texts.tryIt}</button></p>
<p class="small row sub"><i class="i-key" aria-hidden="true"></i><span>${describeAccess(operation)}</span></p>
${renderParameters(operation, 'path', resolve)}${Object.entries(body).map((one) => renderBody(one, resolve))}${renderParameters(operation, 'query', resolve)}${renderParameters(operation, 'header', resolve)}${renderResponses(operation, resolve)}</div>
${renderExamples(operation, resolve)}</section>
`;
};
