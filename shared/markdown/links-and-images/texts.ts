/** Words in place of images that can't be shown. */
export const imageTexts = {
  /** For an image without a description and a name. */
  image: 'Image',
  notLoaded: 'not shown: it couldn’t be loaded',
  notShown: 'not shown: images need an https address',
} as const;
