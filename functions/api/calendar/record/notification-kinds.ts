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

export type Happening = (typeof happenings)[number];
