import { countBytes } from '../../text/count-bytes.ts';
import { pattern } from '../../text/pattern.ts';
import { JsonError, type JsonVisitor, readJson, type ScalarKind } from './json-reader.ts';
import { kindTexts as texts } from './texts.ts';
import { escapeText, type FileView, type ViewProblem } from './view.ts';

const maxValues = 20_000;
const maxDepth = 100;

/** Levels are open while all of them together have at most this number of values. The outermost is always. */
const maxOpenValues = 100;

/** Containers of nothing but short scalars are one line, up to this length. Code units. */
const maxLineLength = 80;

/** Longer strings are folded. Code units. */
const maxStringLength = 300;

/** The start of a folded string, which ends within no character and no escape. */
const stringStart = /^"(?:[^\\]|\\u[\da-f]{4}|\\.){0,100}/iu;

/** The classes of values are those of highlighted code. */
const classes: Readonly<Record<ScalarKind, string>> = {
  string: 'hljs-string',
  number: 'hljs-number',
  literal: 'hljs-literal',
};

const escapes = /\\(?:u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|.)/gi;
const isVisible = pattern(String.raw`^[\p{L}\p{M}\p{N}\p{P}\p{S}]$`, 'u');

const fromHex = (codes: readonly (string | undefined)[]): string =>
  String.fromCharCode(...codes.flatMap((code) => (code ? [Number.parseInt(code, 16)] : [])));

/** Writes characters for their numbers, as programs write those beyond ASCII; what nobody would see stays a number. */
const toReadable = (text: string): string =>
  text.replace(escapes, (written, ...codes: (string | undefined)[]) => {
    const character = fromHex(codes.slice(0, 3));
    return isVisible().test(character) && character !== '"' && character !== '\\'
      ? character
      : written;
  });

const write = (text: string, className: string): string =>
  `<span class="${className}">${escapeText(toReadable(text))}</span>`;

type Key = string | number | undefined;

const writeKey = (key: Key): string => {
  if (key === undefined) return '';
  return typeof key === 'string' ? `${write(key, 'hljs-attr')}: ` : `<small>${key}:</small> `;
};

const writeScalar = (key: Key, kind: ScalarKind, text: string): string => {
  const label = writeKey(key);
  const className = classes[kind];
  if (text.length <= maxStringLength) return `<li>${label}${write(text, className)}</li>`;
  const [start = ''] = stringStart.exec(text) ?? [];
  const size = texts.characters(text.length - 2);
  return `<li><details><summary>${label}${write(start, className)} <small>${size}</small></summary>${write(text.slice(start.length), className)}</details></li>`;
};

/** A container, whose start is written once its end is known. */
interface Container {
  readonly key: Key;
  readonly isObject: boolean;
  readonly depth: number;
  /** The place of its start among the parts. */
  readonly at: number;
  readonly count: number;
}

/** A container that is being read. */
interface OpenContainer extends Omit<Container, 'count'> {
  /** Its values if it may be one line, and their length. */
  line: string[] | undefined;
  lineLength: number;
}

const writeLine = (key: Key, isObject: boolean, values: readonly string[]): string => {
  const line = values.length === 0 ? '' : ` ${values.join(', ')} `;
  return `<li>${writeKey(key)}${isObject ? `{${line}}` : `[${line}]`}</li>`;
};

const writeStart = ({ key, isObject, depth, count }: Container, openDepth: number): string => {
  const size = isObject ? `{ ${texts.keys(count)} }` : `[ ${texts.items(count)} ]`;
  return `<li><details${depth < openDepth ? ' open' : ''}><summary>${writeKey(key)}<small>${size}</small></summary><ul>`;
};

class TooManyValues extends Error {}

/** Writes what is read as a tree of lists, of which the upper levels are open. */
class TreeWriter implements JsonVisitor {
  readonly #parts: string[] = [];
  readonly #open: OpenContainer[] = [];
  readonly #closed: Container[] = [];
  /** The number of values of each level. */
  readonly #counts: number[] = [];
  #key: Key;
  count = 0;

  /** @throws TooManyValues */
  value = (key: Key): void => {
    this.#key = key;
    this.count += 1;
    if (this.count > maxValues) throw new TooManyValues();
    const depth = this.#open.length;
    this.#counts[depth] = (this.#counts[depth] ?? 0) + 1;
  };

  scalar = (kind: ScalarKind, text: string): void => {
    this.#parts.push(writeScalar(this.#key, kind, text));
    const around = this.#open.at(-1);
    if (!around?.line) return;
    const key = around.isObject ? this.#key : undefined;
    around.lineLength += text.length + String(key ?? '').length + 4;
    if (around.lineLength > maxLineLength) around.line = undefined;
    else around.line.push(`${writeKey(key)}${write(text, classes[kind])}`);
  };

  open = (bracket: '{' | '['): void => {
    const at = this.#parts.push('') - 1;
    const depth = this.#open.length;
    const around = this.#open.at(-1);
    if (around) around.line = undefined;
    const isObject = bracket === '{';
    this.#open.push({ key: this.#key, isObject, depth, at, line: [], lineLength: 0 });
  };

  close = (count: number): void => {
    const container = this.#open.pop();
    if (!container) return;
    const { key, isObject, at, line } = container;
    if (line) {
      this.#parts.length = at;
      this.#parts.push(writeLine(key, isObject, line));
      return;
    }
    this.#closed.push({ ...container, count });
    this.#parts.push('</ul></details></li>');
  };

  #findOpenDepth(): number {
    let sum = 0;
    const over = this.#counts.findIndex((count) => {
      sum += count;
      return sum > maxOpenValues;
    });
    return over === -1 ? this.#counts.length : Math.max(1, over - 1);
  }

  finish(): string {
    const openDepth = this.#findOpenDepth();
    for (const container of this.#closed) {
      this.#parts[container.at] = writeStart(container, openDepth);
    }
    return `<ul class="json">${this.#parts.join('')}</ul>\n`;
  }
}

const countLines = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

const toProblem = (error: unknown, text: string, linesBefore: number): ViewProblem => {
  if (error instanceof TooManyValues) return { reason: texts.tooManyValues(maxValues) };
  if (!(error instanceof JsonError)) throw error;
  const line = 1 + linesBefore + countLines(text.slice(0, error.at));
  return { line, reason: error.isTooDeep ? texts.tooDeep(maxDepth) : texts.notJson };
};

/** Reads each line that isn’t empty as a value of one array. */
const readLines = (text: string, writer: TreeWriter): ViewProblem | undefined => {
  let [count, number] = [0, 0];
  writer.value(undefined);
  writer.open('[');
  for (const line of text.split(/\r\n|\r|\n/)) {
    number += 1;
    if (line.trim() === '') continue;
    const value = (key: Key) => writer.value(key ?? number);
    try {
      readJson(line, maxDepth, { ...writer, value });
    } catch (error) {
      return toProblem(error, '', number - 1);
    }
    count += 1;
  }
  writer.close(count);
  return undefined;
};

const readWhole = (text: string, writer: TreeWriter): ViewProblem | undefined => {
  try {
    readJson(text, maxDepth, writer);
  } catch (error) {
    return toProblem(error, text, 0);
  }
  return undefined;
};

/**
 * Renders JSON, or lines of JSON, as a tree. All values are as in the source. Returns `undefined` for an empty text.
 * `maxBytes` is in UTF-8.
 */
export const renderJson = (
  file: string,
  isLines: boolean,
  maxBytes: number,
): FileView | ViewProblem | undefined => {
  const text = file.replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  const writer = new TreeWriter();
  const problem = (isLines ? readLines : readWhole)(text, writer);
  if (problem) return problem;
  const html = writer.finish();
  if (countBytes(html) > maxBytes) return { reason: texts.tooLarge };
  return { name: 'tree', about: texts.values(writer.count), html };
};
