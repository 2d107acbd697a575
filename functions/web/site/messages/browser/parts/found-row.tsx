import { findMarks } from '../../../../browser/components/marked.tsx';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import type { Row } from './conversations.ts';
import { Found, searched } from './marks.tsx';
import { isOwn } from './participants.ts';

/** How much of a text stands before what was found in it. Characters. */
const before = 24;
const shown = 200;

/** Returns the part of a text that shows what was found, which may be far behind its beginning. */
const cutAround = (text: string, start: number): string => {
  if (start <= before) return text.slice(0, shown);
  const from = text.indexOf(' ', start - before) + 1;
  const begin = from > 0 && from <= start ? from : start;
  return `…${text.slice(begin, begin + shown)}`;
};

/** Returns the line of a message that shows why it was found: of its text, else the name of a file. */
const toLine = ({ message }: Row): string => {
  const [first] = findMarks(message.content, searched.value);
  if (first) {
    const line = cutAround(message.content, first[0]);
    return isOwn(message) ? texts.said(texts.you, line) : line;
  }
  const file = message.attachments.find(({ name }) => findMarks(name, searched.value).length > 0);
  return file ? talkTexts.attachment(file.name) : message.content.slice(0, shown);
};

/** What a row says of a message that was found. */
export const FoundRow = ({ row }: { readonly row: Row }) => (
  <>
    <p class="cut" dir="auto">
      {row.isUnread && <span class="vh">{texts.unreadRow}: </span>}
      <Found text={row.subject} />
    </p>
    <p class="cut" dir="auto">
      <Found text={toLine(row)} />
    </p>
  </>
);
