import type { RawHtml } from './find-html.ts';
import { voidNames } from './void-names.ts';

/** Whether a blank line cuts off a comment: CommonMark ends the block there, and reads the rest as Markdown. */
const isCutOff = (source: string): boolean => {
  const start = source.lastIndexOf('<!--');
  return start >= 0 && source.indexOf('-->', start) < 0;
};

/** The end of a comment in a text, raw HTML, and tags of ours. */
const steps = /--&gt;|\0(\d+)\0|<(\/?)([a-z][a-z0-9]*)[^>]*>/g;

/** Compiled HTML without the rest of comments, and the raw HTML that stands in it. */
interface WithoutComments {
  readonly compiled: string;
  readonly found: readonly RawHtml[];
}

/**
 * Leaves out what follows a cut-off comment, up to its end within the same construct of ours. Without an end there, it
 * ends with its block, so that it takes nothing along.
 */
export const cutOpenComments = (compiled: string, found: readonly RawHtml[]): WithoutComments => {
  if (!found.some(({ source }) => isCutOff(source))) return { compiled, found };
  const rest = [...found];
  const parts: string[] = [];
  let copied = 0;
  /** From where a comment is left out, and our tags that began since. */
  let from: number | undefined;
  let open: string[] = [];
  for (const { 0: step, 1: number, 2: slash, 3: name = '', index } of compiled.matchAll(steps)) {
    const html = number === undefined ? undefined : rest[Number(number)];
    if (html === undefined) {
      if (from === undefined) continue;
      if (step === '--&gt;') {
        parts.push(compiled.slice(copied, from), ...open);
        copied = index + step.length;
        from = undefined;
      } else if (slash === '/') {
        if (open.length === 0) from = undefined;
        else open.pop();
      } else if (!voidNames.has(name)) open.push(step);
      continue;
    }
    const end = html.source.indexOf('-->');
    if (from !== undefined && end >= 0) {
      parts.push(compiled.slice(copied, from), ...open);
      copied = index;
      from = undefined;
      rest[Number(number)] = { ...html, source: html.source.slice(end + 3) };
    }
    if (from !== undefined || !isCutOff(rest[Number(number)]?.source ?? '')) continue;
    from = index + step.length;
    open = [];
  }
  parts.push(compiled.slice(copied));
  return { compiled: parts.join(''), found: rest };
};
