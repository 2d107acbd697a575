/** Texts of the calendar page. */
export const calendarTexts = {
  title: 'Calendar',
  newEvent: 'New event',
  feed: 'Feed address',
  today: 'Today',
  before: {
    month: 'Previous month',
    week: 'Previous week',
    day: 'Previous day',
    agenda: 'Previous 30 days',
  },
  after: { month: 'Next month', week: 'Next week', day: 'Next day', agenda: 'Next 30 days' },
  keys: {
    nextDay: 'Next day',
    previousDay: 'Previous day',
    next: 'Next period',
    previous: 'Previous period',
  },
  views: 'View',
  modes: { month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda' },
  timeIn: (zone: string) => `${zone} time`,
  allDay: 'All day',
  noEvents: 'No events',
  noEventsSoon: 'No events in these 30 days.',
  more: (count: number) => `${count} more`,
  moreOn: (count: number, day: string) => `${count} more on ${day}`,
  dayWith: (day: string, count: number) => {
    if (count === 0) return day;
    return `${day}, ${count === 1 ? '1 event' : `${count} events`}`;
  },
  done: (title: string) => `Done: ${title}`,
  notMoved: (title: string, reason: string) => `Couldn’t move “${title}”. ${reason}`,
  notSaved: (title: string, reason: string) => `Couldn’t save “${title}”. ${reason}`,
  draggedTo: (from: string, to: string) => `${from} – ${to}`,
};
