import { pattern } from '../text/pattern.ts';

/*
 * Text of people within a line for chat tools. Each reads another markup, and one body serves all: Slack decodes `&lt;`,
 * Google Chat shows it; Mattermost takes `\*`, Slack shows the backslash. So nothing is escaped: what any of them reads as
 * markup, a mention or a link becomes a character that looks like it and means nothing.
 */

const lookalikes: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '[': '(',
  ']': ')',
  '@': '＠',
  '#': '＃',
  '*': '∗',
  _: 'ˍ',
  '~': '∼',
  '`': '’',
  '|': '¦',
  '\\': '∖',
};

const marked = /[<>[\]@#*_~`|\\]/g;

/** Within an address: a colon, a dot or a slash between characters, after which a client would make a link of it. */
const addressed = /(?<=\S)[:./](?=\S)/g;

const addressLookalikes: Readonly<Record<string, string>> = { ':': '∶', '.': '․', '/': '∕' };

/** What ends a line, is not shown, or changes the order of text. A joiner stays: it makes one emoji of two. */
const hidden = pattern(String.raw`(?:(?!\u200d)[\p{Cc}\p{Cf}\u2028\u2029])+`, 'gu');

/** An entity, which some clients decode. */
const entity = /&(?=#?\w+;)/g;

/** In characters. */
const maxLength = 200;

const shorten = (text: string): string => {
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text;
};

/** Returns text of people as no chat tool formats it, mentions anyone for it, or makes a link of it. */
export const toChatText = (text: string): string =>
  shorten(text.replace(hidden(), ' '))
    .replace(entity, '＆')
    .replace(marked, (character) => lookalikes[character] ?? '')
    .replace(addressed, (character) => addressLookalikes[character] ?? '')
    .trim();
