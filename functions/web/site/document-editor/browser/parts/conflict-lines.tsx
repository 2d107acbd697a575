import { diffWordsWithSpace } from 'diff';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { conflictTexts as texts } from '../../conflict-texts.ts';
import type { Part, Place } from './merge.ts';

type Whose = 'mine' | 'theirs';

/** A piece of a line, marked where the other version has other words. */
interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Bounds of a comparison of words: ms, and words that differ. Beyond, whole lines are marked. */
const bounds = { timeout: 100, maxEditLength: 500 };

/** Lines shown around each difference, and of each at most. */
const context = 3;
const mostLines = 400;

/** Returns the lines of one version of a place in pieces. */
const markWords = ({ mine, theirs }: Place, whose: Whose): readonly (readonly Piece[])[] => {
  const lines = whose === 'mine' ? mine : theirs;
  const isLong = mine.length + theirs.length > mostLines;
  const changes =
    mine.length === 0 || theirs.length === 0 || isLong
      ? undefined
      : diffWordsWithSpace(mine.join('\n'), theirs.join('\n'), bounds);
  if (!changes) return lines.map((text) => [{ text, isMarked: text !== '' }]);
  const pieces = changes
    .filter(({ added, removed }) => (whose === 'mine' ? !added : !removed))
    .map(({ value, added, removed }) => ({ text: value, isMarked: added || removed }));
  const found: Piece[][] = [[]];
  for (const { text, isMarked } of pieces) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) found.push([]);
      if (part !== '') found.at(-1)?.push({ text: part, isMarked });
    }
  }
  return found;
};

/** Counts the places where two versions differ. */
export const countDifferences = (parts: readonly Part[]): number =>
  parts.filter(({ kind }) => kind === 'place').length;

/** A row of a version. */
type Row =
  | { readonly kind: 'same'; readonly number: number; readonly text: string }
  | { readonly kind: 'left-out'; readonly text: string }
  | { readonly kind: 'gap'; readonly place: number }
  | {
      readonly kind: 'changed';
      readonly number: number;
      readonly pieces: readonly Piece[];
      readonly place: number;
    };

/** Lists the rows of a version, as many as of the other, so that lines stand side by side. `first` is the first place’s number. */
const listRows = (parts: readonly Part[], whose: Whose, first: number): readonly Row[] => {
  const rows: Row[] = [];
  let number = 1;
  let place = first;
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'same') {
      const head = at === 0 ? 0 : context;
      const tail = at === parts.length - 1 ? 0 : context;
      const hidden = part.lines.length - head - tail;
      const from = number;
      const show = (lines: readonly string[], start: number) =>
        rows.push(
          ...lines.map((text, line) => ({ kind: 'same', number: start + line, text }) as const),
        );
      if (hidden <= 1) show(part.lines, from);
      else {
        show(part.lines.slice(0, head), from);
        rows.push({ kind: 'left-out', text: texts.unchanged(hidden) });
        if (tail > 0) show(part.lines.slice(-tail), from + part.lines.length - tail);
      }
      number += part.lines.length;
      continue;
    }
    const height = Math.max(part.mine.length, part.theirs.length);
    const lines = markWords(part, whose);
    for (let line = 0; line < Math.min(height, mostLines); line++) {
      const pieces = lines[line];
      rows.push(
        pieces ? { kind: 'changed', number: number + line, pieces, place } : { kind: 'gap', place },
      );
    }
    if (height > mostLines) {
      rows.push({ kind: 'left-out', text: texts.moreLines(height - mostLines) });
    }
    number += lines.length;
    place += 1;
  }
  return rows;
};

const Pieces = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>{pieces.map(({ text, isMarked }, at) => (isMarked ? <mark key={at}>{text}</mark> : text))}</>
);

interface LineProps {
  readonly row: Row;
  readonly whose: Whose;
}

const Line = ({ row, whose }: LineProps) => {
  if (row.kind === 'left-out') return <p class="left-out">{row.text}</p>;
  if (row.kind === 'gap') return <p class="gap" data-place={row.place} aria-hidden="true" />;
  const isChanged = row.kind === 'changed';
  return (
    <p
      class={isChanged ? whose : undefined}
      dir="auto"
      {...(isChanged && { 'data-place': row.place })}
    >
      <b aria-hidden="true">{row.number}</b>
      <em>{isChanged && <span class="vh">{texts.marks[whose]}</span>}</em>
      <span>{isChanged ? <Pieces pieces={row.pieces} /> : row.text}</span>
    </p>
  );
};

interface VersionProps {
  readonly whose: Whose;
  readonly label: string;
  readonly name: string;
  readonly heading: string;
  readonly state: string;
  readonly parts: readonly Part[];
  readonly titles: Readonly<Record<Whose, string>>;
}

/** One version, with what differs marked by a sign, a tint and, of its words, a frame. */
export const Version = ({ whose, label, name, heading, state, parts, titles }: VersionProps) => {
  const isTitleChanged = titles.mine !== titles.theirs;
  const rows = listRows(parts, whose, isTitleChanged ? 1 : 0);
  const titlePlace: Place = {
    kind: 'place',
    mine: [titles.mine],
    theirs: [titles.theirs],
    by: 'both',
  };
  return (
    <section aria-label={label} style={{ '--rows': String(rows.length + 2) }}>
      <h3>
        <Avatar name={name} size="s" />
        {heading}
        <span class="mute small">{state}</span>
      </h3>
      <p
        class={isTitleChanged ? `title ${whose}` : 'title'}
        dir="auto"
        {...(isTitleChanged && { 'data-place': 0 })}
      >
        <b aria-hidden="true" />
        <em>{isTitleChanged && <span class="vh">{texts.marks[whose]}</span>}</em>
        <span>
          {isTitleChanged ? <Pieces pieces={markWords(titlePlace, whose)[0] ?? []} /> : titles.mine}
        </span>
      </p>
      {rows.map((row, at) => (
        <Line key={at} row={row} whose={whose} />
      ))}
    </section>
  );
};
