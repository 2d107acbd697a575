const heading =
  /<h([1-6]) id="section-[^"]*">(.*?)<a class="anchor" href="#section-[^"]*" aria-label="[^"]*">#<\/a><\/h\1>/gs;
const code =
  /<pre><code class="hljs (language-[^"]+)">((?:[^<]|<span class="[\w -]*">|<\/span>)*)<\/code><\/pre>/g;

/** highlight.js escapes apostrophes, micromark does not. */
const plainCode = (highlighted: string): string =>
  highlighted.replace(/<span class="[\w -]*">|<\/span>/g, '').replaceAll('&#x27;', "'");

/**
 * Restores micromark's fragment without the extras of share pages (decisions.md#markdown), the inverse of `addExtras`.
 * micromark escapes every `<` and `"` of the source, so no text of the source looks like these tags.
 */
export const parseWithoutExtras = (fragment: string): string =>
  fragment
    .replace(heading, '<h$1>$2</h$1>')
    .replace(
      code,
      (_, language, text) => `<pre><code class="${language}">${plainCode(text)}</code></pre>`,
    )
    .replaceAll('<a class="local" href="#section-', '<a href="#');
