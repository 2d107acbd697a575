/** Leads a frame to the part of its document that the address of the page names, if the page itself has no such part. */
export const passFragment = (frame: HTMLIFrameElement): void => {
  const { hash } = location;
  if (hash.length < 2 || document.getElementById(hash.slice(1))) return;
  frame.contentWindow?.location.replace(frame.src + hash);
};
