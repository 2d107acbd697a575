/** More than any document that somebody prints. In CSS pixels. */
const maxHeight = 100_000;
/** As the frame measures its height. */
const maxWidth = 1_024;

/** Lets a frame have its whole height on paper, where nobody can scroll it. The height may be anything. */
export const setPrintSize = ({ style, clientWidth }: HTMLElement, height: unknown): void => {
  if (typeof height !== 'number' || !(height > 0) || clientWidth === 0) return;
  style.setProperty('--print-height', `${Math.min(height, maxHeight)}px`);
  style.setProperty('--print-width', `${Math.min(clientWidth, maxWidth)}px`);
};
