/** Texts of the messages page. */
export const messagesTexts = {
  title: 'Messages',
};
