// In the script, so that pages without a diagram load nothing of it.
const css = `
.codebox:has(> .drawing) { position: relative }
.drawing { position: absolute; inset: 0; min-width: 640px; visibility: hidden }
.drawing iframe { display: block; width: 100%; height: 100%; border: 0 }
.drawn > .drawing { position: static; min-width: 0; padding: 1rem; visibility: visible }
.drawn > .drawing iframe {
  min-width: calc(var(--width) / 2);
  max-width: var(--width);
  height: auto;
  margin: 0 auto;
  aspect-ratio: var(--ratio);
}
.drawn > pre { height: 0; padding: 0 !important }
.drawn > pre > code { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.drawn [data-wraps-lines] { display: none }
@media print {
  .prose .drawn { break-inside: avoid }
  .drawn > .drawing iframe { min-width: 0 }
}`;

let sheet: CSSStyleSheet | undefined;

/** Adds the styles of diagrams to the page. */
export const styleDiagrams = (): void => {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
};
