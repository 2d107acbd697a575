import { describe, expect, it } from 'vitest';
import { JsonError, readJson } from '../../../../shared/markdown/kinds/json-reader.ts';
import { renderJson } from '../../../../shared/markdown/kinds/json-tree.ts';
import fc from '../../../support/run/properties.ts';

const visitor = { value: () => {}, scalar: () => {}, open: () => {}, close: () => {} };

const isRead = (text: string): boolean => {
  try {
    readJson(text, 100, visitor);
    return true;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
};

const isParsed = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const tree = (text: string, isLines = false) => renderJson(text, isLines, 4_000_000);
const problem = (text: string, isLines = false) => {
  const { html, ...shown } = { html: undefined, ...tree(text, isLines) };
  expect(html).toBeUndefined();
  return shown;
};

/** The text of a tree, of which markup is left out. */
const textOf = (text: string, isLines = false): string => {
  const found = tree(text, isLines);
  const html = found && 'html' in found ? found.html : '';
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
};

describe('readJson', () => {
  it('accepts what JSON.parse accepts', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), isRead));
    const parts = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"a":', '1', '0', '-', '.', '5e', '+', 'true'],
      ...['null', 'nul', ' ', '\n', '\t', '\\', '\\u00e9', '\\u12', '\\x', '\u0001', '\u00A0', '/'],
      ...['//', "'", 'NaN', '😀', '\uD800'],
    );
    const texts = fc.array(parts, { maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(texts, (text) => isRead(text) === isParsed(text)),
      { numRuns: 5_000 },
    );
  });

  it.each(['01', '1.', '.5', '+1', '1e', '"\t"', '"\\', '[1,]', '{"a":1,}', '{a:1}', '[]]', ''])(
    'refuses %j',
    (text) => expect(isRead(text)).toBe(false),
  );

  it('refuses what is nested too deep, and does so quickly', () => {
    expect(isRead('['.repeat(100) + ']'.repeat(100))).toBe(true);
    expect(isRead('['.repeat(101) + ']'.repeat(101))).toBe(false);
    expect(isRead('[{"a":'.repeat(100_000))).toBe(false);
  });
});

describe('the tree of JSON', () => {
  it('has each value as it was written', () => {
    expect(
      textOf('{"a":1.0,"a":12345678901234567890.10,"<b>&":["\\u00e9\\n",null,{}],"c":1E400}'),
    ).toBe(
      '{ 4 keys }"a": 1.0"a": 12345678901234567890.10"<b>&": [ 3 items ]0: "é\\n"1: null2: {}"c": 1E400\n',
    );
  });

  it('has characters for their numbers, unless nobody would see them', () => {
    const hidden = String.raw`"\u0022\u005c\u202e\u200b\u0007\ud83d \\u00fc"`;
    expect(textOf(hidden)).toBe(`${hidden}\n`);
    expect(textOf(String.raw`{"\u00FC":"\ud83d\ude00 \u003cb>"}`)).toBe('{ "ü": "😀 <b>" }\n');
  });

  it('has short containers of scalars in one line', () => {
    expect(textOf('[{"a":1,"b":"x"},[true,null],{}]')).toBe(
      '[ 3 items ]0: { "a": 1, "b": "x" }1: [ true, null ]2: {}\n',
    );
    expect(textOf(`["${'x'.repeat(71)}",1]`)).toContain('[ 2 items ]');
  });

  it('opens its upper levels as long as they are short', () => {
    const opened = (text: string) => {
      const found = tree(text);
      return found && 'html' in found ? found.html.match(/<details open>/g)?.length : undefined;
    };
    expect(opened('{"a":{"b":{"c":{}}}}')).toBe(3);
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [at, [at]]));
    expect(opened(JSON.stringify(wide))).toBe(1);
  });

  it('folds long strings, of which nothing is lost and no character is cut', () => {
    const text = `"${'\\u00e9😀'.repeat(200)}"`;
    expect(textOf(text)).toBe(`"${'é😀'.repeat(50)} 1,600 characters${'é😀'.repeat(150)}"\n`);
  });

  it.each([
    ['{"a":1,\n"b":}', { line: 2, reason: 'isn’t valid JSON' }],
    ['{"a":1\r\r\n', { line: 3, reason: 'isn’t valid JSON' }],
    ['[\n//\n]', { line: 2, reason: 'isn’t valid JSON' }],
    [
      `\n${'['.repeat(101)}${']'.repeat(101)}`,
      { line: 2, reason: 'is nested more than 100 levels deep' },
    ],
    [`[${'1,'.repeat(20_000)}1]`, { reason: 'it has more than 20,000 values' }],
  ])('is none of %j', (text, expected) => expect(problem(text)).toEqual(expected));

  it('has 20,000 values at most, and not more than fit', () => {
    const text = `[${'1,'.repeat(19_998)}1]`;
    expect(tree(text)).toMatchObject({ about: '20,000 values' });
    expect(renderJson(text, false, 100_000)).toEqual({ reason: 'it is too large for a tree' });
    expect(renderJson(' \n', false, 100_000)).toBeUndefined();
  });

  it('of lines has one for each that isn’t empty, by its number', () => {
    expect(textOf('\uFEFF{"a":1}\r\n\r\n[2]\r\n', true)).toBe('[ 2 items ]1: { "a": 1 }3: [ 2 ]\n');
    expect(problem('{"a":1}\n\n{"a"}\n', true)).toEqual({ line: 3, reason: 'isn’t valid JSON' });
  });
});
