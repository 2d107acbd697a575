/** How much of a diff a page shows, in UTF-16 code units. The API returns up to 1 MB. */
export const maxShownLength = 256 * 1024;

/** Cuts a diff for a page, at the end of a line if one ends within. */
export const cutDiff = (diff: string): string => {
  if (diff.length <= maxShownLength) return diff;
  const end = diff.lastIndexOf('\n', maxShownLength - 1);
  return diff.slice(0, end === -1 ? maxShownLength : end + 1);
};

/** The lines before the first difference: the names of both texts. */
const names = /^--- .*\n\+\+\+ .*\n/;

/** The element of each kind of lines: added, removed, a place (`b`), a remark (`i`), or in both texts. */
const tags = { '+': 'ins', '-': 'del', '@': 'b', '\\': 'i' } as const;

/** Lines of a diff that follow each other and are of one kind. */
export interface DiffLines {
  readonly tag: (typeof tags)[keyof typeof tags] | 'span';
  readonly lines: string[];
}

const isSign = (sign: string): sign is keyof typeof tags => sign in tags;

/**
 * Groups the lines of a diff in the unified format by kind, so that a page has few elements. They keep their sign, because
 * colour alone tells not everyone.
 */
export const groupLines = (diff: string): readonly DiffLines[] => {
  const groups: DiffLines[] = [];
  for (const line of diff.replace(names, '').replace(/\n$/, '').split('\n')) {
    const sign = line.charAt(0);
    const tag = isSign(sign) ? tags[sign] : 'span';
    const last = groups.at(-1);
    if (last?.tag === tag) last.lines.push(line);
    else groups.push({ tag, lines: [line] });
  }
  return groups;
};
