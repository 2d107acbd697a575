import { describe, expect, it } from 'vitest';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';

const limit = { field: 'content', cpuMs: 3_000 };

describe('shortcodes of emoji', () => {
  it.each([
    ['a :rocket: b', 'a 🚀 b'],
    [':+1::-1:', '👍👎'],
    ['你好:smile:。', '你好😄。'],
    ['Done:tada:', 'Done🎉'],
    [':unknown:rocket:', ':unknown🚀'],
    [':e-mail: :family_man_woman_girl_boy: :100:', '📧 👨‍👩‍👧‍👦 💯'],
    ['**:rocket:** [:key:](//b)', '<strong>🚀</strong> <a href="//b">🔑</a>'],
  ])('%s become emoji in the result of the API and on pages', async (markdown, text) => {
    const { html, page } = await render(markdown, limit);
    expect([html, page]).toEqual([`<p>${text}</p>`, `<p>${text}</p>`]);
  });

  it.each([
    [':octocat: :shipit: :nothing:', ':octocat: :shipit: :nothing:'],
    ['At 12:100:30, std::x::y', 'At 12:100:30, std::x::y'],
    ['`:rocket:`', '<code>:rocket:</code>'],
    ['[a](/:rocket: ":rocket:")', '<a href="/:rocket:" title=":rocket:">a</a>'],
    ['![:rocket:](b)', '<img src="b" alt=":rocket:" />'],
    [':toString: :constructor: :__proto__:', ':toString: :constructor: :<strong>proto</strong>:'],
  ])('%s stay as they are', async (markdown, text) => {
    expect(await toHtml(markdown)).toBe(`<p>${text}</p>`);
  });

  it.each(['```\n:rocket:\n```', '    :rocket:'])('stay in code: %j', async (markdown) => {
    const { html, page } = await render(markdown, limit);
    expect([html, page]).toEqual(Array(2).fill('<pre><code>:rocket:\n</code></pre>'));
  });

  it('stay in math, and not between prices', async () => {
    const { html, page } = await render('$a :x: b$ and $$\\text{:x:}$$', limit);
    expect([html, page].join()).not.toContain('❌');
    expect(await toHtml('$5 :x: $6')).toBe('<p>$5 ❌ $6</p>');
  });

  it('keep their names in slugs, which a character has no place in', async () => {
    const { page } = await render('## :rocket: Start\n\n## 🚀 Start\n\n[a](#rocket-start)', limit);
    expect(page).toContain('<h2 id="rocket-start">🚀 Start<a');
    expect(page).toContain('<h2 id="-start">🚀 Start<a');
    expect(page).toContain('<a href="#rocket-start">a</a>');
  });
});
