/** Texts of the calendar page. */
export const calendarTexts = {
  title: 'Calendar',
  event: 'Event',
};
