import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAsk, Unanswered } from '../../../infra/commands/ask.ts';

afterEach(() => {
  vi.useRealTimers();
});

const open = (isTTY = false) => {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  return { input, ask: createAsk(input, output), shown: () => String(output.read()) };
};

describe('ask', () => {
  it('takes a line of a pipe for each question, however they arrive', async () => {
    const { input, ask, shown } = open();
    input.write('closed\r\nan');
    expect(await ask('Who? ')).toBe('closed');
    const second = ask('What? ');
    input.write('swer\n\nla');
    expect(await second).toBe('answer');
    expect(await ask('Enter? ')).toBe('');
    input.end('st');
    expect(await ask('Last? ')).toBe('last');
    expect(shown()).toBe('Who? closed\nWhat? answer\nEnter? \nLast? last\n');
  });

  it('fails when the input ends, for each question', async () => {
    const { input, ask } = open();
    input.end();
    await expect(ask('One? ')).rejects.toThrow(/^Nobody has answered\. Run the command in a term/);
    await expect(ask('Two? ')).rejects.toThrow(Unanswered);
  });

  it('doesn’t wait for a silent pipe for longer than half a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { input, ask } = open();
    const refused = expect(ask('Who? ')).rejects.toThrow('Nobody has answered for 30 seconds.');
    await vi.advanceTimersByTimeAsync(30_000);
    await refused;
    expect(['readable', 'end'].map((event) => input.listenerCount(event))).toEqual([0, 0]);
  });

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('is canceled in a terminal by %s', async (_, key) => {
    const { input, ask } = open(true);
    Object.assign(input, { setRawMode: () => input });
    const canceled = expect(ask('Who? ')).rejects.toMatchObject({
      message: '\nCanceled.',
      exitCode: 130,
    });
    input.write(key);
    await canceled;
  });
});
