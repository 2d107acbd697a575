import { formatDollars } from '../spending/format-dollars.ts';
import type { NoticePercent } from '../spending/month.ts';
import type { Spending } from '../spending/spending.ts';
import type { Notice, Sender } from './notification.ts';

/** The most characters of user text in a notification. */
const maxLength = 200;

const shorten = (text: string): string => {
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text;
};

const quote = (text: string): string => `“${shorten(text)}”`;

/** Refers to a share in a notification of its owner. */
const referToShare = (title: string | undefined): string =>
  title === undefined ? 'your untitled share' : quote(title);

/** Says of a sealed share that its link here lacks the key. */
const withKey = (text: string, isSealed: boolean): string =>
  isSealed
    ? `${text}. It is sealed, so you also need its key: ask who shared it for the whole link.`
    : text;

/** What a moderator wrote to the owner, after what was done. */
const withReason = (text: string, reason: string | undefined): string =>
  reason === undefined ? text : `${text} The moderator wrote: “${reason}”`;

/** The notifications: plain text, and a link to the record. */
export const notificationTemplates = {
  documentShared: (document: { id: number; title: string }, sender: Sender): Notice => ({
    topic: 'sharing',
    type: 'user',
    title: 'A document was shared with you',
    action: 'shared a document with you',
    content: quote(document.title),
    permission: 'documents:view',
    link: `/api/documents/${document.id}`,
    sender,
  }),
  fileShared: (file: { id: number; name: string }, sender: Sender): Notice => ({
    topic: 'sharing',
    type: 'user',
    title: 'A file was shared with you',
    action: 'shared a file with you',
    content: quote(file.name),
    permission: 'files:view',
    link: `/api/files/${file.id}`,
    sender,
  }),
  snippetShared: (
    share: { id: string; title: string | undefined; isSealed: boolean },
    sender: Sender,
  ): Notice => ({
    topic: 'sharing',
    type: 'user',
    title: 'A snippet was shared with you',
    action: 'shared a snippet with you',
    content: withKey(
      share.title === undefined ? 'Untitled snippet' : quote(share.title),
      share.isSealed,
    ),
    link: `/s/${share.id}`,
    sender,
  }),
  messageReceived: (
    message: { id: number; conversationId: number; subject: string },
    sender: Sender,
  ): Notice => ({
    topic: 'messages',
    type: 'message',
    title: 'New message',
    action: 'sent you a message',
    content: shorten(message.subject),
    permission: 'messages:view',
    link: `/api/messages/${message.id}`,
    sender,
    conversationId: message.conversationId,
  }),
  spendingPassed: ({ month, limit, spent }: Spending, percent: NoticePercent): Notice => ({
    topic: 'spending',
    type: 'alert',
    title:
      percent === 100
        ? 'The spending limit is reached'
        : `${percent} % of the spending limit is used`,
    content:
      percent === 100
        ? `Of the ${formatDollars(limit)} for ${month}, ${formatDollars(spent)} are spent. Shared pages and what anyone may call are slowed down to one request a second until the month ends or you lift the limit in the settings.`
        : `Of the ${formatDollars(limit)} for ${month}, ${formatDollars(spent)} are spent.`,
    permission: 'settings:view',
    link: '/settings',
  }),
  webhookPaused: (host: string, reason: 'failures' | 'gone'): Notice => ({
    topic: 'webhooks',
    type: 'alert',
    title: 'Your webhook was paused',
    content:
      reason === 'gone'
        ? `${host} says that it takes no events any more (410). Nothing is sent to it until you resume the webhook.`
        : `${host} took nothing for three days. Nothing is sent to it until you resume the webhook.`,
    link: '/account?tab=webhooks',
  }),
  webhooksTooMany: (): Notice => ({
    topic: 'webhooks',
    type: 'alert',
    title: 'Your webhooks had too many events',
    content:
      'There were more in an hour than are sent to webhooks. What was beyond that wasn’t sent.',
    link: '/account?tab=webhooks',
  }),
  exportEnded: ({ title, content }: { title: string; content: string }): Notice => ({
    topic: 'security',
    type: 'system',
    title,
    content,
    link: '/account?tab=security#your-data',
  }),
  shareEnded: (title: string | undefined, by: 'views' | 'time'): Notice => ({
    topic: 'shares',
    type: 'system',
    title: 'Your share has ended',
    content: `${title === undefined ? 'Your share' : quote(title)} ${by === 'views' ? 'reached its view limit.' : 'expired.'}`,
    link: '/shares',
  }),
  shareOpened: (title: string | undefined, link: string | undefined): Notice => ({
    topic: 'shares',
    type: 'system',
    title: 'Your share was opened',
    content: `${title === undefined ? 'Your share' : quote(title)} was opened for the first time${link === undefined ? '' : `, with the link for ${quote(link)}`}.`,
    link: '/shares',
  }),
  shareEndedByReader: (title: string | undefined): Notice => ({
    topic: 'shares',
    type: 'system',
    title: 'A reader ended your share',
    content: `A reader of ${referToShare(title)} ended it. Its link no longer works.`,
    link: '/shares',
  }),
  shareTakenDown: (title: string | undefined, reason: string | undefined): Notice => ({
    topic: 'shares',
    type: 'alert',
    title: 'Your share was taken down',
    content: withReason(
      `A moderator took down ${referToShare(title)}. Its link no longer works.`,
      reason,
    ),
    link: '/shares',
  }),
  shareKept: (title: string | undefined, reason: string | undefined): Notice => ({
    topic: 'shares',
    type: 'system',
    title: 'Your share was reviewed',
    content: withReason(
      `A moderator reviewed ${referToShare(title)} and decided to keep it.`,
      reason,
    ),
    link: '/shares',
  }),
  shareEditedByModerator: (title: string | undefined): Notice => ({
    topic: 'shares',
    type: 'alert',
    title: 'Your share was edited',
    content: `A moderator edited ${referToShare(title)}. Its link stays the same, unless its name was changed.`,
    link: '/shares',
  }),
  shareEndedByModerator: (title: string | undefined): Notice => ({
    topic: 'shares',
    type: 'alert',
    title: 'Your share was ended',
    content: `A moderator ended ${referToShare(title)}. Its link no longer works.`,
    link: '/shares',
  }),
  shareDeletedByModerator: (title: string | undefined): Notice => ({
    topic: 'shares',
    type: 'alert',
    title: 'Your share was deleted',
    content: `A moderator deleted ${referToShare(title)}. Its link no longer works.`,
    link: '/shares',
  }),
  shareSubmitted: (shareId: string, name: string, title: string | undefined): Notice => ({
    topic: 'shares',
    type: 'system',
    title: 'Something was handed in',
    content: `From outside: ${quote(name)}, for ${referToShare(title)}.`,
    link: `/s/${shareId}`,
  }),
  requestTakenDown: (title: string, reason: string | undefined): Notice => ({
    topic: 'shares',
    type: 'alert',
    title: 'Your request was taken down',
    content: withReason(
      `A moderator took down the request ${quote(title)}. Its link no longer works.`,
      reason,
    ),
    link: '/shares?with=requests',
  }),
  requestKept: (title: string, reason: string | undefined): Notice => ({
    topic: 'shares',
    type: 'system',
    title: 'Your request was reviewed',
    content: withReason(
      `A moderator reviewed the request ${quote(title)} and decided to keep it.`,
      reason,
    ),
    link: '/shares?with=requests',
  }),
  requestReported: (id: string, title: string): Notice => ({
    topic: 'reports',
    type: 'alert',
    title: 'A request was reported',
    content: `The request ${quote(title)} was reported. Review it and decide whether to keep it.`,
    link: `/moderation?list=requests&open=${id}`,
  }),
  shareReported: (shareId: string, title: string | undefined): Notice => ({
    topic: 'reports',
    type: 'alert',
    title: 'A share was reported',
    content: `${title === undefined ? 'An untitled share' : quote(title)} was reported. Review it and decide whether to keep it.`,
    link: `/moderation?open=${shareId}`,
  }),
} as const;
