/** Arguments with which each tool succeeds, of a share and a document. */
export const typicalInputs = (
  share: string,
  document: number,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  document_create: { title: 'Minutes', content: 'We met.', folder: 'Minutes', tags: ['board'] },
  document_read: { id: document },
  document_search: { search: 'min', pageSize: 5 },
  markdown_convert: { markdown: '# Hi' },
  share_create: { content: '# Hi', language: 'markdown', title: 'Note', viewLimit: 3 },
  // Before what else changes the version.
  share_update: { id: share, version: 1, title: 'Other', description: null },
  share_file_put: { id: share, path: 'img/a.svg', content: '<svg/>' },
  share_files: { id: share },
  share_link_create: { id: share, label: 'Mei', viewLimit: 1 },
  share_list: { status: 'active', pageSize: 5 },
  share_read: { id: share },
  share_receipts: { id: share },
  share_end: { id: share },
});
