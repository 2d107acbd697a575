import { describe, expect, it } from 'vitest';
import { filesToMarkdown } from '../../../shared/markdown/files/files-to-markdown.ts';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';

const limit = { field: 'content', cpuMs: 20_000 };
const esc = '\u001B';

const toPage = async (markdown: string) => (await render(markdown, limit)).page;

/** Returns a block as it looks: hidden sequences are left out. */
const showLog = async (text: string): Promise<string> => {
  const page = await toPage(filesToMarkdown([{ name: 'a.log', text: `${text}${esc}[m\n` }]));
  const [, code = ''] = page.match(/<b id="L1"><\/b>(.*)\n<\/code>/s) ?? [];
  return code.replace(/<s hidden>[^<]*<\/s>/g, '');
};

const colored = (color: string | number, text: string) =>
  `<span class="a-f a-f${color}">${text}</span>`;

describe('a log on a page', () => {
  it.each([
    [
      '16 colors',
      `${esc}[31mred${esc}[0m ${esc}[92m<${esc}[39m`,
      `${colored(0, 'red')} ${colored(3, '&lt;')}`,
    ],
    [
      '256 colors',
      `${esc}[38;5;208mo${esc}[38:5:21mb${esc}[m`,
      `${colored(1, 'o')}${colored(5, 'b')}`,
    ],
    [
      'all colors',
      `${esc}[38;2;255;0;0mr${esc}[38:2::0:0:255mb`,
      `${colored(0, 'r')}${colored(5, 'b')}`,
    ],
    [
      'grays',
      `${esc}[30mk${esc}[90mg${esc}[38;5;255mw`,
      `${colored('gray', 'k')}${colored('gray', 'g')}${colored('gray', 'w')}`,
    ],
    [
      'backgrounds',
      `${esc}[30;42mp${esc}[49mq`,
      `<span class="a-f a-fgray a-b a-b3">p</span>${colored('gray', 'q')}`,
    ],
    [
      'letters',
      `${esc}[1;3;4;9mx${esc}[22;23;24;29my`,
      '<span class="a-bold a-italic a-under a-strike">x</span>y',
    ],
    ['curly lines', `${esc}[4:3mx${esc}[4:0my`, '<span class="a-under">x</span>y'],
    [
      'inverse',
      `${esc}[7mx${esc}[31my${esc}[27;39mz`,
      '<span class="a-inverse">x</span><span class="a-b a-b0">y</span>z',
    ],
    ['unknown numbers', `${esc}[5;99;38;9;1mx${esc}[38;5;999my`, 'xy'],
  ])('shows %s', async (_, text, html) => {
    expect(await showLog(text)).toBe(html);
  });

  it.each([
    ['moves of the cursor', `a${esc}[2K${esc}[1;5Hb${esc}[?25l`, 'ab'],
    ['a title', `${esc}]0;A <title>\u0007a`, 'a'],
    ['links', `${esc}]8;;https://a.example/?b&c${esc}\\a${esc}]8;;${esc}\\`, 'a'],
    ['strings for a device', `${esc}P1$r0m${esc}\\a${esc}_b${esc}\\`, 'a'],
    ['character sets', `${esc}(B${esc}=a`, 'a'],
    ['a title without an end, but not its text', `${esc}]0;a`, '0;a'],
    ['the last character', `a${esc}`, 'a'],
  ])('leaves out %s', async (_, text, html) => {
    expect(await showLog(text)).toBe(html);
  });

  it('keeps the exact text in its markup, and its lines', async () => {
    const text = `${esc}[31ma\r\n<b>${esc}[0m\r\n${esc}]8;;x${esc}\\c`;
    const page = await toPage(filesToMarkdown([{ name: 'a.log', text }]));
    expect(page.match(/<b id/g)).toHaveLength(3);
    const [, code = ''] = page.match(/<code[^>]*>(.*)<\/code>/s) ?? [];
    const exact = code
      .replace(/<[^>]*>/g, '')
      .replace(
        /&(#13|lt|gt|quot);/g,
        (_, name) => ({ '#13': '\r', lt: '<', gt: '>' })[name as 'lt'] ?? '"',
      );
    expect(exact.replace(/\r\n$/, '')).toBe(text);
  });

  it.each(['', 'console', 'ANSI'])('shows colors in a block of Markdown: %j', async (language) => {
    expect(await toPage(`\`\`\`${language}\n${esc}[31ma\n\`\`\``)).toContain(colored(0, 'a\n'));
  });

  it('shows none in code, in the API’s HTML, and beyond 20,000 elements', async () => {
    const sequence = `${esc}[31ma`;
    expect(await toPage(`\`\`\`js\n${sequence}\n\`\`\``)).not.toContain('a-f0');
    expect(await toHtml(`\`\`\`\n${sequence}\n\`\`\``)).toBe(
      `<pre><code>${sequence}\n</code></pre>`,
    );
    const many = await toPage(`\`\`\`\n${sequence.repeat(10_001)}\n\`\`\``);
    expect(many).not.toContain('a-f0');
  });

  it.each([
    ['sequences', `${esc}[31m`.repeat(100_000)],
    ['beginnings', `${esc}]`.repeat(250_000)],
    ['an open string', `${esc}]${'a'.repeat(500_000)}`],
    ['numbers', `${esc}[${'38;5;'.repeat(100_000)}m`],
  ])('takes 500 KB of %s in linear time', async (_, text) => {
    expect(await showLog(text)).toEqual(expect.any(String));
  });
});
