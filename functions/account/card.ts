import { type Html, html } from '../../shared/html.ts';
import { layout } from './layout.ts';
import type { ScriptName } from './scripts.ts';

/** A page that is a card with a heading and nothing else; with a script, if it needs one. */
export const card = (
  { title, heading = title }: { readonly title: string; readonly heading?: string },
  content: Html,
  scripts: { readonly script?: ScriptName; readonly imports?: readonly ScriptName[] } = {},
): string =>
  layout({
    title,
    kind: 'notice',
    ...scripts,
    main: html`<main><div class="card">
<p class="brand">Handbill</p>
<h1>${heading}</h1>
${content}
</div></main>`,
  });
