/** Texts of the notifications page. */
export const notificationsTexts = {
  title: 'Notifications',
};
