import { assetPath } from '../../../functions/web/layout/asset.ts';

/** What previews of links to all pages show. */
export const cardTags: readonly string[] = [
  `<meta property="og:image" content="https://handbill.test${assetPath('card.png')}">`,
  '<meta property="og:image:width" content="1200">',
  '<meta property="og:image:height" content="630">',
  '<meta property="og:image:alt" content="Handbill">',
  '<meta name="twitter:card" content="summary_large_image">',
];

/** Finds what a page says to previews of its link, besides its title. */
export const findPreviewTags = (page: string): string[] => [
  ...(page.match(/<(?:meta (?:property|name="(?:twitter|description))|link rel="canonical).*/g) ??
    []),
];
