import emojiByName from './built/emoji.json' with { type: 'json' };

const emojis = new Map<string, string>(Object.entries(emojiByName));

/** Code, math and tags, which stay, or a shortcode. In `html` of the API, math is still a text. */
const parts =
  /<(pre|code|tt|math)(?=[ >]).*?<\/\1>|<[^>]*>|\$\$[^$<]+\$\$|\$(?!\s)[^$<]*(?<!\s)\$(?![\w$])|:([\w+-]+):/gs;

/** A number between numbers is a time or a ratio. */
const isNumber = (html: string, name: string, start: number): boolean =>
  /^\d+$/.test(name) && /\d/.test(html[start - 1] ?? '');

/**
 * Replaces shortcodes in the texts of a fragment, within words, too, as GitHub does. Unknown ones stay, and `::x::`, which is
 * a name in code.
 */
export const replaceShortcodes = (html: string): string => {
  const written: string[] = [];
  let end = 0;
  parts.lastIndex = 0;
  for (let match = parts.exec(html); match; match = parts.exec(html)) {
    const [whole, , name] = match;
    if (name === undefined) continue;
    const { index } = match;
    const emoji = emojis.get(name);
    const isName = (index !== end && html[index - 1] === ':') || isNumber(html, name, index);
    if (emoji === undefined || isName) {
      // Its last colon may begin the next.
      parts.lastIndex--;
      continue;
    }
    written.push(html.slice(end, index), emoji);
    end = index + whole.length;
  }
  return written.join('') + html.slice(end);
};
