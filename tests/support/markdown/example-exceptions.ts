/** The numbers of the examples that are converted otherwise on purpose, by reason. */
export type Exceptions = Readonly<Record<string, readonly number[]>>;

export const commonMarkExceptions: Exceptions = {
  'front matter isn’t shown as text': [96, 98],
  'comments, instructions, declarations and CDATA are left out': [
    ...[177, 179, 180, 182, 183, 308, 309, 625, 626, 627, 628, 629],
  ],
  'elements that aren’t on the list lose their tags': [150, 163, 201, 491, 524, 536, 617],
  'elements that run, style or ask lose their content, too': [170, 171, 172, 173, 176, 178],
  'attributes that aren’t on the list are left out, and ids have a prefix': [
    152, 153, 154, 164, 169,
  ],
  'a link without an address is text': [200, 485, 486, 487, 567, 613, 614, 615, 616],
  'a scheme that isn’t on the list is text': [596, 598, 599, 601],
  'addresses are links, as in GFM': [602, 608, 611, 612],
  'an end tag that fits no start is left out': [148],
  'addresses have no line endings, and what is left open ends with the text': [642, 643],
};

export const gfmExceptions: Exceptions = {
  'front matter isn’t shown as text': [66, 68],
  'comments, instructions, declarations and CDATA are left out': [
    ...[146, 148, 149, 151, 152, 288, 289, 648, 651, 652, 653],
  ],
  'comments are those of CommonMark 0.31': [649, 650],
  'elements that aren’t on the list lose their tags': [120, 133, 170, 501, 533, 545, 640],
  'elements that run, style or ask lose their content, too': [140, 141, 142, 145, 147],
  'attributes that aren’t on the list are left out, and ids have a prefix': [
    122, 123, 124, 134, 139,
  ],
  'a link without an address is text': [169, 496, 497, 576, 636, 637, 638, 639],
  'a scheme that isn’t on the list is text': [605, 607, 608, 610],
  'addresses are links, also in the examples of CommonMark': [611, 617, 620, 621],
  'a scheme before an email address stays text beside its link': [633, 634, 635],
  'forbidden tags are left out instead of shown': [657],
  'an end tag that fits no start is left out': [118],
  'addresses have no line endings, and what is left open ends with the text': [667, 668],
};
