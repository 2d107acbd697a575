import { parseDocument } from 'yaml';
import { escapeHtml } from '../../text/html.ts';
import { maxTitleLength } from '../limits.ts';

/** Longer front matter is shown as code. UTF-16 units. */
const maxLength = 16 * 1024;
/** So is front matter whose table is longer, or nested deeper: aliases and nesting multiply. */
const maxTableLength = 64 * 1024;
const maxDepth = 16;
const maxAliases = 50;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes tables within a length. */
class TableWriter {
  #left = maxTableLength;

  #take(markup: string): string {
    this.#left -= markup.length;
    if (this.#left < 0) throw new RangeError('The front matter is too large for a table');
    return markup;
  }

  #cells(tag: 'td' | 'th', values: readonly unknown[], depth: number): string {
    const cells = values.map((value) =>
      this.#take(`<${tag}>${this.write(value, depth + 1)}</${tag}>`),
    );
    return `<tr>\n${cells.join('\n')}\n</tr>`;
  }

  /** Writes a mapping as a row below its keys, and a list as a row. */
  write(value: unknown, depth = 0): string {
    if (depth > maxDepth) throw new RangeError('The front matter is nested too deeply for a table');
    if (Array.isArray(value)) {
      return `<table>\n<tbody>\n${this.#cells('td', value, depth)}\n</tbody>\n</table>`;
    }
    if (!isFields(value)) return escapeHtml(String(value ?? ''));
    const keys = Object.keys(value);
    if (keys.length === 0) return '';
    const head = this.#cells('th', keys, depth);
    const row = this.#cells('td', Object.values(value), depth);
    return `<table>\n<thead>\n${head}\n</thead>\n<tbody>\n${row}\n</tbody>\n</table>`;
  }
}

/** Reads a mapping, with its values as they were written: a version 1.10 is no number. @throws Error */
const readYaml = (source: string): Fields | undefined => {
  const document = parseDocument(source, {
    schema: 'failsafe',
    prettyErrors: false,
    logLevel: 'silent',
  });
  const value: unknown = document.toJS({ maxAliasCount: maxAliases });
  return document.errors.length === 0 && isFields(value) ? value : undefined;
};

const readTitle = ({ title }: Fields): string => {
  const line = typeof title === 'string' ? title.replace(/\s+/g, ' ').trim() : '';
  return [...line].slice(0, maxTitleLength).join('');
};

/**
 * Renders front matter with its fences: as a table, or as code if it is TOML, no mapping or too large. Nothing in it is an
 * error.
 */
export const toTable = (source: string, language: 'yaml' | 'toml'): string => {
  const code = () =>
    `<pre><code class="language-${language}">${escapeHtml(source.trim())}\n</code></pre>\n`;
  const lines = source.trimEnd().split(/\r\n|\n|\r/);
  const inner = lines.slice(1, -1).join('\n');
  if (inner.trim() === '') return '';
  if (language === 'toml' || inner.length > maxLength) return code();
  try {
    const fields = readYaml(inner);
    if (!fields) return code();
    const table = new TableWriter().write(fields);
    if (table === '') return '';
    const title = readTitle(fields);
    const named = title === '' ? '' : ` data-title="${escapeHtml(title)}"`;
    // No author can write its class.
    return `<div class="front-matter"${named}>${table}</div>\n`;
  } catch {
    // Too large, nested too deeply for the stack, or more aliases than allowed.
    return code();
  }
};
