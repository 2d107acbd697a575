/** The icon of each audience. */
export const audienceIcons = {
  link: 'link',
  members: 'building',
  people: 'users',
  private: 'lock',
} as const;
