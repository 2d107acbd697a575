/** How long a browser counts a click as the reason of what follows, in ms. https://html.spec.whatwg.org/#transient-activation-duration */
const clickMs = 5_000;
const maxNameLength = 200;
/** How long a download may take to begin, in ms. */
const beginMs = 60_000;

let savedAt = Number.NEGATIVE_INFINITY;

/** Saves a file of a snippet. Without its type, it is saved whatever it is and never opens as a page of this service. */
export const saveFile = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' }));
  link.download = name.slice(0, maxNameLength) || 'download';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), beginMs);
  savedAt = performance.now();
};

/**
 * Saves a file that a frame offers if the reader has just clicked in the frame, one file a click; else calls `ask`. The
 * browser tells of the click, which no snippet can forge.
 */
export const saveAfterClick = (
  frame: Element | null,
  file: Blob,
  name: string,
  ask?: (file: Blob, name: string) => void,
): void => {
  const isClicked = navigator.userActivation?.isActive && document.activeElement === frame;
  if (isClicked && performance.now() - savedAt > clickMs) saveFile(file, name);
  else ask?.(file, name);
};
