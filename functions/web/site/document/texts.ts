/** Texts of the page of one document. */
export const documentTexts = {
  title: 'Document',
};
