import { afterEach, describe, expect, it, vi } from 'vitest';
import { assertPrivate, connectWith } from '../../../infra/cli/source/connection.ts';
import {
  note,
  print,
  printFields,
  printJson,
  printTable,
  printText,
} from '../../../infra/cli/source/terminal/output.ts';
import { toVisible } from '../../../shared/text/visible.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs what prints, on a terminal or in a pipe, and returns what it has written. */
const capture = (isTerminal: boolean, run: () => void): string => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    Object.defineProperty(stream, 'isTTY', { value: isTerminal, configurable: true });
  }
  vi.stubEnv('NO_COLOR', '1');
  try {
    run();
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    for (const stream of [process.stdout, process.stderr]) {
      Reflect.deleteProperty(stream, 'isTTY');
    }
  }
  return written.join('');
};

/** Sets the title of the window, reports the cursor, turns text around and overwrites its line. */
const hostile = 'a\u001b]0;x\u0007\u009b6n\u202ecba\u2066\rb\u007f\u2028';
const visible = String.raw`a\x1b]0;x\x07\x9b6n\u202ecba\u2066\x0db\x7f\u2028`;

const printers: Readonly<Record<string, () => void>> = {
  'a share': () => printText(hostile),
  'a line': () => print(hostile),
  'a message of an error': () => note(hostile),
  'a table': () => printTable(['title'], [[hostile]]),
  fields: () => printFields({ title: hostile }),
};

describe.each(Object.entries(printers))('%s', (_, run) => {
  it('shows on a terminal what the terminal would obey', () => {
    const written = capture(true, run);
    expect(written).toContain(visible);
    expect(written).toBe(toVisible(written));
  });

  it('is exact in a pipe', () => {
    expect(capture(false, run)).toContain(hostile);
  });
});

describe('printJson', () => {
  it('prints the same value on a terminal and in a pipe', () => {
    const run = () => printJson({ title: hostile });
    const onTerminal = capture(true, run);
    expect(onTerminal).toBe(toVisible(onTerminal));
    expect([onTerminal, capture(false, run)].map((json) => JSON.parse(json))).toEqual([
      { title: hostile },
      { title: hostile },
    ]);
  });
});

describe('toVisible', () => {
  it('keeps lines of any system, tabs and text of any script', () => {
    const text = 'one\ttwo\r\nthree\nשלום 👩‍👩‍👧 ñ';
    expect(toVisible(text)).toBe(text);
  });
});

describe('a table on a terminal', () => {
  it('has a row for each share, whatever its title', () => {
    const written = capture(true, () => printTable(['title'], [['one\nid  active\ttwo']]));
    expect(written).toBe('TITLE\none\\x0aid  active\\x09two\n');
  });
});

describe('a token or password', () => {
  it.each([
    'https://share.example.com',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.1:3000',
    'http://[::1]:3000',
  ])('is sent to %s', (url) => {
    expect(() => assertPrivate(url)).not.toThrow();
  });

  it.each([
    'http://share.example.com',
    'http://localhost.evil.com',
    'http://127.0.0.1.evil.com',
    'http://127.evil.com',
    'http://localhost@evil.com',
    'http://[::1:2]',
    'http://10.0.0.1',
    'http://0.0.0.0:3000',
  ])('is not sent to %s', (url) => {
    expect(() => connectWith(url, { accessToken: 'hb_token' })).toThrow('is not encrypted');
  });
});
