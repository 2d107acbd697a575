/** Texts of the menu of a filter. */
export const filterTexts = {
  any: { folder: 'Any folder', tag: 'Any tag', type: 'Any type', author: 'Any author' },
  find: {
    folder: 'Find a folder',
    tag: 'Find a tag',
    type: 'Find a type',
    author: 'Find an author',
  },
  findOthers: 'Type to find others.',
  nothingFound: 'None found',
} as const;
