import { micromark } from 'micromark';
import { escapeHtml, Html, html } from '../../../../shared/text/html.ts';
import { referenceTexts as texts } from './texts.ts';

/** Renders the Markdown of the OpenAPI document. Headings of paragraphs, such as `**Versions.**`, stay where they are. */
export const markdown = (text: string): Html => new Html(micromark(text));

/** Renders a Markdown text of a list: without a paragraph around it if it is one. */
export const inlineMarkdown = (text: string): Html => {
  const { markup } = markdown(text);
  const [, only] = markup.match(/^<p>((?:(?!<p>)[\s\S])*)<\/p>$/) ?? [];
  return only === undefined ? new Html(markup) : new Html(only);
};

/** Marks the names of fields and the texts in JSON. */
const colorJson = (text: string): Html =>
  new Html(
    escapeHtml(text).replaceAll(
      /(&quot;(?:(?!&quot;)[^\\]|\\.)*&quot;)(:?)/g,
      (_, quoted, colon) =>
        colon ? `<span class="f">${quoted}</span>:` : `<span class="s">${quoted}</span>`,
    ),
  );

const code = (title: string, language: 'json' | 'sh', content: Html): Html =>
  html`<figure class="codebox"><figcaption>${title}<button type="button" class="btn ghost sm end" data-copies-code hidden><i class="i-copy" aria-hidden="true"></i>${texts.copy}</button></figcaption><pre><code class="${language}">${content}</code></pre></figure>\n`;

/** Marks the texts in quotation marks that follow an option. */
const colorCommand = (text: string): Html =>
  new Html(
    escapeHtml(text).replaceAll(
      /( -(?:H|d|F|-data-urlencode) )(&quot;[^\n]*&quot;|&#39;[\s\S]*&#39;)/g,
      (_, option, value) => `${option}<span class="s">${value}</span>`,
    ),
  );

/** Renders a command with its button to copy it. */
export const command = (title: string, text: string): Html => code(title, 'sh', colorCommand(text));

/** Renders a JSON value with its button to copy it. */
export const json = (title: string, value: unknown): Html =>
  code(title, 'json', colorJson(JSON.stringify(value, undefined, 2)));

/** Renders the colored name of a method. Its widths and colors are by the first letter. */
export const verb = (method: string): Html =>
  html`<span class="verb ${method.toLowerCase()}">${method}</span>`;
