/** Texts of what is done with a document, on the list and on its page. */
export const documentTexts = {
  cancel: 'Cancel',
  save: 'Save',

  untitled: 'Untitled',
  renameTitle: (title: string) => `Rename “${title}”`,
  tagsTitle: (title: string) => `Tags of “${title}”`,
  moveTitle: (title: string) => `Move “${title}”`,
  moveSomeTitle: (count: string) => `Move ${count} documents`,
  move: 'Move',
  title: 'Title',
  titleRequired: 'Enter a title.',
  types: { markdown: 'Markdown', text: 'Plain text', html: 'HTML' },
  folder: 'Folder',
  folderHint: 'Choose one or type a new name. Leave empty for none.',
  tags: 'Tags',
  tagsHint: 'Separate tags by commas.',
  tooManyTags: (max: string) => `Enter at most ${max} tags.`,
  tagTooLong: (max: string) => `A tag can have up to ${max} characters.`,
  changedByOthers: 'Someone else has changed this document.',

  sharing: {
    everyoneAbout: 'Members who can view documents',
    openTo: {
      none: 'Only those listed have access now',
      reader: 'Everyone who can view documents can read it now',
      editor: 'Everyone who can view documents can change title and content now',
    },
  },
} as const;
