/** Texts of the trash of files. */
export const trashTexts = {
  title: 'Trash',
  name: 'Name',
  about: 'Deleted files stay here for 30 days and count towards your storage.',
  empty: 'The trash is empty',
  emptyAbout: 'Deleted files stay here for 30 days.',
  emptyTrash: 'Empty trash',
  deleted: 'Deleted',
  purged: 'Deleted for good',
  restore: 'Restore',
  purge: 'Delete for good',
  someFiles: (count: string) => (count === '1' ? '1 file' : `${count} files`),
} as const;
