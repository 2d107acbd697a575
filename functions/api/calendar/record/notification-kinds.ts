/** What users are told of an event. */
export const happenings = [
  'invited',
  'changed',
  'cancelled',
  'uninvited',
  'accepted',
  'declined',
  'tentative',
] as const;

export type EventNotificationKind = (typeof happenings)[number];
