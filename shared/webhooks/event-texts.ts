// What a user's own webhooks can be told of: the one table for the API, its reference and pages. It imports nothing of the server.

interface EventTexts {
  /** As a list of chosen events names it. */
  readonly label: string;
  /** What it says beside the choice. */
  readonly description: string;
  /** Without this permission nobody is told of it, so it isn’t offered. */
  readonly permission?: 'shares:manage';
}

/** The own events, with their texts. The audit’s names have theirs in `shared/audit/action-texts.ts`. */
export const ownEventTexts = {
  'share.opened': {
    label: 'Share opened',
    description: 'Someone opens a share of yours. Each view that counts is an event.',
  },
  'share.ended': {
    label: 'Share ended',
    description: 'A share of yours ends, is taken down or deleted, and why.',
  },
  'share.submitted': {
    label: 'Something handed in',
    description: 'Someone hands in something for a request of yours.',
  },
  'share.reported': {
    label: 'Share reported',
    description: 'Someone reports a share or a request, and it waits for a moderator.',
    permission: 'shares:manage',
  },
  'document.shared': {
    label: 'Document shared with you',
    description: 'Someone shares a document with you.',
  },
  'message.received': { label: 'Message received', description: 'Someone sends you a message.' },
} as const satisfies Readonly<Record<string, EventTexts>>;

export type OwnEvent = keyof typeof ownEventTexts;

/** Returns the texts of an own event; a type says that only some users are told of it. */
export const getEventTexts = (type: OwnEvent): EventTexts => ownEventTexts[type];
