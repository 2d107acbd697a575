import { type Html, html } from '../../../shared/text/html.ts';
import type { ScriptName } from './asset.ts';
import { layout } from './layout.ts';
import { siteTexts } from './texts.ts';

/** Renders a page with a single card. */
export const card = (
  { title, heading = title }: { readonly title: string; readonly heading?: string },
  content: Html,
  script?: ScriptName,
): string =>
  layout({
    title: `${title} · ${siteTexts.brand}`,
    kind: 'notice',
    site: 'signed-out',
    ...(script && { script }),
    main: html`<main id="main"><div class="card">
<h1>${heading}</h1>
${content}
</div></main>`,
  });
