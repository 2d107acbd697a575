import { getActionText } from '../audit/action-texts.ts';
import { toChatText } from './chat-text.ts';
import { getEventTexts, type OwnEvent } from './event-texts.ts';
import { isOwnEvent, testEvent, type WebhookEvent } from './events.ts';
import {
  AuditEventData,
  type EventShare,
  eventDataSchemas,
  type OwnEventData,
} from './payloads.ts';

const quote = (text: string): string => `“${toChatText(text)}”`;

const referTo = ({ title }: EventShare): string =>
  title === null ? 'Your share' : `Your share ${quote(title)}`;

const endTexts: Readonly<Record<OwnEventData<'share.ended'>['by'], string>> = {
  views: 'reached its view limit',
  time: 'expired',
  owner: 'was ended by you',
  moderator: 'was ended by a moderator',
  reader: 'was ended by a reader',
};

const describeEnd = ({ by, how }: OwnEventData<'share.ended'>): string => {
  if (how === 'taken-down') return 'was taken down';
  if (how === 'deleted')
    return by === 'owner' ? 'was deleted by you' : 'was deleted by a moderator';
  return endTexts[by];
};

/** What happened, in one sentence, and the page that shows more, if there is one. */
interface Line {
  readonly text: string;
  readonly url?: string;
}

const lines: { readonly [Type in OwnEvent]: (data: OwnEventData<Type>) => Line } = {
  'share.opened': ({ share, link, viewsLeft }) => ({
    text: `${referTo(share)} was opened${link === null ? '' : ` with the link for ${quote(link)}`}${viewsLeft === null ? '' : ` (views left: ${viewsLeft})`}.`,
    url: share.url,
  }),
  // Its page shows nothing any more.
  'share.ended': (ended) => ({ text: `${referTo(ended.share)} ${describeEnd(ended)}.` }),
  'share.submitted': ({ share }) => ({
    text: 'Something was handed in for your request.',
    url: share.url,
  }),
  'share.reported': ({ kind, url }) => ({ text: `A ${kind} was reported.`, url }),
  'document.shared': ({ by, document }) => ({
    text: `${toChatText(by.name)} shared a document with you.`,
    url: document.url,
  }),
  'message.received': ({ from, message }) => ({
    text: `${toChatText(from.name)} sent you a message.`,
    url: message.url,
  }),
};

const describeOwn = <Type extends OwnEvent>(type: Type, data: unknown): string => {
  const parsed = eventDataSchemas[type].safeParse(data);
  // An event of another version.
  if (!parsed.success) return `${getEventTexts(type).label}.`;
  const { text, url } = lines[type](data as OwnEventData<Type>);
  return url === undefined ? text : `${text} ${url}`;
};

const describeAudited = (type: string, data: unknown): string => {
  const { data: { actor, subject } = { actor: null, subject: '' } } =
    AuditEventData.safeParse(data);
  const name = actor === null ? undefined : (actor.name ?? `user ${actor.id}`);
  const by = name === undefined ? '' : `, by ${toChatText(name)}`;
  return `${getActionText(type)}${by}${subject && ` (${subject})`}.`;
};

/** Returns what happened as one line for chat tools, in which nothing that people wrote mentions anyone or leads anywhere. */
export const describeEvent = ({ type, data }: Pick<WebhookEvent, 'type' | 'data'>): string => {
  if (type === testEvent) return 'This is a test of your webhook.';
  return isOwnEvent(type) ? describeOwn(type, data) : describeAudited(type, data);
};
