/** What the frame of previews gets of a sealed text: of what it names relatively, the host of the frame learns nothing. */
interface SealedHtml {
  readonly path: string;
  readonly html: string;
  readonly parts: readonly [];
  readonly mark: string;
  readonly modules: string;
  readonly isSealed: true;
}

/** Returns the message that shows sealed HTML in the frame of previews. */
export const toSealedHtml = (html: string): SealedHtml => ({
  ...{ path: 'index.html', html, parts: [] as const, modules: '', isSealed: true },
  // There are no files that marks in the text would stand for.
  mark: crypto.randomUUID(),
});
