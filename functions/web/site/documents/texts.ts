/** Texts of the documents page. */
export const documentsTexts = {
  title: 'Documents',
};
