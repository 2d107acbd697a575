import { useState } from 'preact/hooks';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Menu, type MenuItem } from '../../../../browser/components/menu.tsx';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { may } from '../../../../browser/shell/session.ts';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { downloadAttachment } from '../attachments/attachment-download.ts';
import { describeAudience } from './audience.ts';
import { loadWhole, people, removeMessage } from './conversation.ts';
import { Found, searched } from './marks.tsx';
import type { Message } from './message-list.ts';
import { senderName } from './participants.ts';
import { replyTo } from './reply-target.ts';

const weekMs = 7 * 86_400_000;

/** Formats when a message was sent: the time, and before today the day, too. */
const formatSent = (iso: string, now = new Date()): string => {
  const date = new Date(iso);
  const language = dateLanguage.read();
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  if (date.toDateString() === now.toDateString()) return date.toLocaleTimeString(language, time);
  const isRecent = now.getTime() - date.getTime() < weekMs;
  const day = isRecent ? ({ weekday: 'long' } as const) : ({ dateStyle: 'medium' } as const);
  return `${date.toLocaleDateString(language, day)}, ${date.toLocaleTimeString(language, time)}`;
};

const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/;

/** A text with its addresses as links. */
const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(address).map((part, at) =>
      at % 2 === 1 ? (
        <a key={at} href={part} target="_blank" rel="noopener noreferrer nofollow">
          <Found text={part} />
        </a>
      ) : (
        <Found key={at} text={part} />
      ),
    )}
  </>
);

const Text = ({ message }: { readonly message: Message }) => {
  const [isBusy, setIsBusy] = useState(false);
  const show = async () => {
    setIsBusy(true);
    await loadWhole(message).catch(() => undefined);
    setIsBusy(false);
  };
  return (
    <div class="text" dir="auto">
      {message.content.split(/\n\s*\n/).map((paragraph, at) => (
        <p key={at}>
          <Linked text={paragraph} />
        </p>
      ))}
      {message.isExcerpt && (
        <Button size="sm" isBusy={isBusy} onClick={show}>
          {talkTexts.wholeMessage}
        </Button>
      )}
      <Attachments message={message} />
    </div>
  );
};

const Attachments = ({ message }: { readonly message: Message }) => (
  <>
    {message.attachments.map(({ id, name, size }) => (
      <a
        key={id}
        class="attach"
        href={api.url('GET /api/messages/{id}/attachments/{fileId}', {
          params: { id: message.id, fileId: id },
        })}
        title={name}
        onClick={async (event) => {
          event.preventDefault();
          await downloadAttachment(message.id, id);
        }}
      >
        <span class="kind a">
          <Icon name="doc" />
        </span>
        <span class="grow">
          <b class="cut blk" dir="auto">
            {searched.value.length > 0 ? <Found text={name} /> : <FileName name={name} />}
          </b>
          <span class="mute">{formatBytes(size)}</span>
        </span>
      </a>
    ))}
  </>
);

const actionsOf = (message: Message): readonly MenuItem[] => [
  ...(may('messages:create')
    ? [{ label: texts.reply, icon: 'reply' as const, run: () => replyTo(message) }]
    : []),
  ...(may('messages:delete')
    ? [
        {
          label: talkTexts.deleteMessage,
          icon: 'trash' as const,
          isBad: true,
          run: () => removeMessage(message),
        },
      ]
    : []),
];

/** Says who has a message, if only a part of the conversation’s people do; and of the first that everyone does. */
const Audience = ({ message }: { readonly message: Message }) => {
  const only = describeAudience(message, people.value);
  if (only !== undefined) return <Badge icon="lock">{only}</Badge>;
  const isFirst = message.id === message.conversationId;
  return isFirst && people.value.length > 1 ? (
    <span class="tiny mute">{talkTexts.toEveryone}</span>
  ) : null;
};

/** One message of a conversation. */
export const MessageView = ({ message }: { readonly message: Message }) => {
  const actions = actionsOf(message);
  return (
    <article class="msg" data-id={message.id}>
      <Avatar name={message.sender.name} />
      <header>
        <b dir="auto">{senderName(message)}</b>
        <time dateTime={message.createdAt}>{formatSent(message.createdAt)}</time>
        <Audience message={message} />
        {actions.length > 0 && (
          <Menu label={talkTexts.moreOf(senderName(message))} items={actions} />
        )}
      </header>
      <Text message={message} />
    </article>
  );
};
