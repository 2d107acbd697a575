import { escapeHtml } from '../../text/html.ts';
import { pattern } from '../../text/pattern.ts';
import { type AnsiColor, toBasicColor, toNearestColor, toPaletteColor } from './ansi-colors.ts';
import { decodeText } from './decode-text.ts';

const esc = '\u001B';

/** The most elements that the colors of one page take. */
const maxElements = 20_000;

/** Languages of blocks that show what a terminal printed, which may be in none (decisions.md#logs). */
const languages = new Set(['', 'ansi', 'console', 'log', 'plaintext', 'text', 'txt']);

/**
 * Sequences of ECMA-48: CSI with its parameters, strings with their end (such as the title of a window), and short ones. A string
 * without an end in its line begins as a short one, so that nothing is hidden by a mistake.
 */
const sequences = pattern(
  String.raw`(?:\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\r\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])?)+`,
  'g',
);

/** Sequences that set how text looks: SGR. */
const styles = pattern(String.raw`\x1b\[([\d;:]*)m`, 'g');

interface Style {
  readonly flags: ReadonlySet<string>;
  readonly color?: AnsiColor | undefined;
  readonly background?: AnsiColor | undefined;
}

const unstyled: Style = { flags: new Set() };

const setFlags: Readonly<Record<number, string>> = {
  ...{ 1: 'bold', 2: 'dim', 3: 'italic', 4: 'under', 7: 'inverse', 9: 'strike', 21: 'under' },
};
const clearedFlags: Readonly<Record<number, readonly string[]>> = {
  ...{ 22: ['bold', 'dim'], 23: ['italic'], 24: ['under'], 27: ['inverse'], 29: ['strike'] },
};

/** Reads a color after 38 or 48 from where it begins; both separators are in use. Returns it, and how many numbers it takes. */
const readColor = (numbers: readonly number[]): [AnsiColor | undefined, number] => {
  const [kind, first = 0, second = 0, third = 0] = numbers;
  if (kind === 5) return [first < 256 ? toPaletteColor(first) : undefined, 2];
  if (kind !== 2) return [undefined, numbers.length];
  const isColor = Math.max(first, second, third) < 256;
  return [isColor ? toNearestColor(first, second, third) : undefined, 4];
};

const applyNumber = (style: Style, number: number): Style => {
  if (number === 0) return unstyled;
  const flag = setFlags[number];
  if (flag !== undefined) return { ...style, flags: new Set(style.flags).add(flag) };
  const cleared = clearedFlags[number];
  if (cleared)
    return { ...style, flags: new Set([...style.flags].filter((one) => !cleared.includes(one))) };
  if (number === 39) return { ...style, color: undefined };
  if (number === 49) return { ...style, background: undefined };
  const place = number % 10;
  if (place > 7) return style;
  const color = toBasicColor(number >= 90 ? place + 8 : place);
  const kind = number - place;
  if (kind === 30 || kind === 90) return { ...style, color };
  return kind === 40 || kind === 100 ? { ...style, background: color } : style;
};

/** Reads a parameter; with colons, it has parts: the shape of an underline, or a color, before which a color space may be. */
const readParameter = (parameter: string): readonly number[] => {
  const [first = 0, ...parts] = parameter.split(':').map(Number);
  if (first === 4) return [parts[0] === 0 ? 24 : 4];
  return parts[0] === 2 && parts.length > 4 ? [first, 2, ...parts.slice(2, 5)] : [first, ...parts];
};

/** Applies the parameters of an SGR sequence, such as `1;31`. */
const apply = (style: Style, parameters: string): Style => {
  const numbers = parameters.split(';').flatMap(readParameter);
  let next = style;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number !== 38 && number !== 48) {
      next = applyNumber(next, number);
      continue;
    }
    const [color, count] = readColor(numbers.slice(at + 1, at + 5));
    next = { ...next, ...(number === 38 ? { color } : { background: color }) };
    at += count;
  }
  return next;
};

/** Inverse text has a background in the hue of its color, because all texts can be read on all backgrounds. */
const invert = ({ flags, color, background }: Style): Style => {
  const others = new Set(flags);
  if (color === undefined && background === undefined) return { flags };
  others.delete('inverse');
  return { flags: others, color: background, background: color ?? 'gray' };
};

const toClasses = (style: Style): string => {
  const { flags, color, background } = style.flags.has('inverse') ? invert(style) : style;
  return [
    ...[...flags].map((flag) => `a-${flag}`),
    ...(color === undefined ? [] : ['a-f', `a-f${color}`]),
    ...(background === undefined ? [] : ['a-b', `a-b${background}`]),
  ].join(' ');
};

const write = (text: string, style: Style): string => {
  if (text === '') return '';
  const classes = toClasses(style);
  return classes === '' ? escapeHtml(text) : `<span class="${classes}">${escapeHtml(text)}</span>`;
};

/** Shows the colors of escaped code, or returns `undefined` to leave it as it is. */
export type ShowColors = (language: string, code: string) => string | undefined;

/**
 * Creates what shows the colors of one page’s blocks. Sequences for a terminal stay in the markup, hidden, so that a copy is
 * exact; those that set colors and the look of letters become classes (`a-…`), and others nothing. Blocks of other
 * languages, and those beyond 20,000 elements, stay as they are.
 */
export const createColors = (): ShowColors => {
  let left = maxElements;
  return (language, code) => {
    if (!languages.has(language.toLowerCase()) || !code.includes(esc)) return undefined;
    const text = decodeText(code);
    const parts: string[] = [];
    let style = unstyled;
    let end = 0;
    for (const { 0: found, index } of text.matchAll(sequences())) {
      left -= 2;
      if (left < 0) return undefined;
      parts.push(write(text.slice(end, index), style), `<s hidden>${escapeHtml(found)}</s>`);
      for (const [, parameters = ''] of found.matchAll(styles())) style = apply(style, parameters);
      end = index + found.length;
    }
    parts.push(write(text.slice(end), style));
    return parts.join('');
  };
};
