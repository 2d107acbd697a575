import { joinWords } from '../../../shared/lists/tokenize.ts';
import type { StoredMessage } from './message.ts';

/**
 * A list entry has the words of its message, so that a search is a filter of the lists and takes no item of its own. It stays
 * within 2 KB: the entry of a short message costs as much to write as without them, any other one write unit more.
 */
const maxBytes = 1_700;

/** Returns the words by which a message is found besides subject and people: those of its files and of its content. */
export const toWords = (
  { attachments = [] }: Pick<StoredMessage, 'attachments'>,
  content: string,
): string => joinWords([...attachments.map(({ name }) => name), content], maxBytes);

/** Returns the words of a stored message. Only of long content they are stored with it. */
export const getWords = (message: StoredMessage): string =>
  message.words ?? toWords(message, message.excerpt);
