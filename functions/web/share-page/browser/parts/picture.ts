/** Says how large the picture is that is all of a share. */
export const showDimensions = (root: HTMLElement): void => {
  const place = root.querySelector('[data-dimensions]');
  const image = root.querySelector<HTMLImageElement>('.picture img');
  if (!place || !image) return;
  const show = () => {
    const { naturalWidth, naturalHeight } = image;
    if (naturalWidth > 0) place.textContent = ` · ${naturalWidth} × ${naturalHeight}`;
  };
  image.addEventListener('load', show);
  if (image.complete) show();
};
