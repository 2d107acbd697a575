const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

/** Texts of the composer about the files of a share, which are loaded with the first. */
export const shareFilesTexts = {
  drop: 'Drop files, a folder or a ZIP',
  dropLimits: (count: number, size: string) => `Up to ${count} files, ${size} in all`,
  files: 'Files',
  tree: 'Files of the share',
  add: 'Add files',
  addFiles: 'Files or a ZIP',
  addFolder: 'A folder',
  more: 'More actions',
  actionsOf: (name: string) => `Actions of ${name}`,
  isMain: 'Main',
  mainPage: 'Main page',
  chooseMain: 'Choose the page readers see first.',
  choose: 'Choose',
  makeMain: 'Make main page',
  open: 'Open',
  rename: 'Rename',
  newName: (name: string) => `New name of ${name}`,
  remove: 'Remove',
  renamed: (name: string, updated: number) =>
    updated === 0
      ? `Renamed to “${name}”`
      : `Renamed to “${name}”, ${updated === 1 ? '1 reference' : `${updated} references`} updated`,
  mainStays: 'A share needs a main page.',
  mainKind: 'The main page has to stay HTML or Markdown.',
  removed: (name: string) => `Removed “${name}”`,
  removedMany: (count: number) => `Removed ${files(count)}`,
  missing: (count: number) => (count === 1 ? '1 file is missing' : `${count} files are missing`),
  place: (from: string, line: number) => `${from}, line ${line}`,
  addMissing: 'Add them',
  refused: (count: number) =>
    count === 1 ? '1 file wasn’t added' : `${count} files weren’t added`,
  dismiss: 'Dismiss',
  tooLarge: (size: string, most: string) => `${size}. ${most} at most.`,
  tooMany: (most: number) => `A share can have ${most} files.`,
  noRoom: (most: string) => `No room. ${most} in all at most.`,
  tooLargeSealed: (name: string, size: string, most: string) =>
    `${name} has ${size}. A sealed file can have at most ${most}.`,
  noRoomSealed: (size: string, most: string) =>
    `Sealed, these files take ${size} together. ${most} at most.`,
  sealedFiles:
    'Readers see the main page, and download the other files. The page can’t show or link them, because they are sealed.',
  sealedSingle: 'Readers download this file.',
  plainDeleted:
    'The uploaded files were deleted; the service may know their names for a day. Now files are sealed in your browser when you share.',
  plainLeft: (time: string) =>
    `What was uploaded before couldn’t be deleted now. It’s deleted on ${time}. From here on, files are sealed before they’re sent.`,
  unreadable: (name: string) => `Can’t read ${name}.`,
  unpacking: (name: string) => `Unpacking ${name}…`,
  size: 'Size of the share',
  used: (size: string, most: string) => `${size} of ${most}`,
  count: (count: number, most: number) => `${count} of ${most} files`,
  summary: (count: number, missing: number) =>
    missing === 0 ? files(count) : `${files(count)} · ${missing} missing`,
  uploading: (done: number, count: number) => `Uploading ${done} of ${count}`,
  upload: 'Upload',
  cancelUpload: 'Cancel upload',
  queued: 'Queued',
  percent: (percent: number) => `${percent}%`,
  failed: 'Failed',
  tryAgain: 'Try again',
  waitForUploads: (count: number) =>
    `You can share when ${count === 1 ? '1 upload is' : `${count} uploads are`} done`,
  uploadFailed: 'Upload failed. Check your connection and try again.',
  notUploaded: (count: number) => `${files(count)} couldn’t be uploaded. Try again or remove them.`,
  canceled: (count: number) => `Removed ${files(count)} that weren’t uploaded`,
  undo: 'Undo',
  replaced: (name: string) => `Content replaced with ${name}.`,
  draftLost: 'The files of this draft aren’t in this browser any more. Add them again.',
  notKept: 'The files of this draft can’t be saved in your browser. Don’t close this page.',
  preview: 'Preview',
  source: (path: string) => `Content of ${path}`,
  noPreview: 'No preview of this kind of file.',
  missingImage: 'Missing image',
  loadingImage: 'Loading…',
} as const;
