/** What users are notified of about an event. */
export const eventNotificationKinds = [
  'invited',
  'changed',
  'cancelled',
  'uninvited',
  'accepted',
  'declined',
  'tentative',
] as const;

export type EventNotificationKind = (typeof eventNotificationKinds)[number];
