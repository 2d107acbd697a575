/** Returns the anchors that Markdown viewers give the headings of a text, of one level (`##`) or of all. */
export const listAnchors = (text: string, level = '#+'): string[] =>
  [...text.matchAll(new RegExp(`^${level} (.+)$`, 'gm'))].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
