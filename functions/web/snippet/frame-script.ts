import { getSetting } from '../../../shared/runtime/settings.ts';
import frameScripts from './built/frame-scripts.json' with { type: 'json' };

/*
 * A repetition takes memory for each character that it matches, and V8 throws at 64 MB. The document is untrusted and has up to
 * 16 MB, so each one is bounded.
 */

/** White space, comments and `<?xml …?>`, which create no element before `<html>` and `<head>`. */
const ignorable = /(?:[\t\n\f\r ]{1,4096}|<\?[^>]{0,4096}>|<!--(?:-?>|[\s\S]*?--!?>))/y;
/** The attributes of a tag. */
const attributes = `(?:"[^"]{0,500}"|'[^']{0,500}'|[^"'>]){0,2000}`;
const doctype = new RegExp(`<!doctype${attributes}>`, 'iy');
const htmlTag = new RegExp(`<html(?:[\\s/]${attributes})?>`, 'iy');
const headTag = new RegExp(`<head(?:[\\s/]${attributes})?>`, 'iy');

/** Returns the index at which the content of the head starts. A script before the doctype would cause quirks mode. */
const findHeadStart = (document: string): number => {
  let index = document.startsWith('\ufeff') ? 1 : 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = index;
    const [found] = pattern.exec(document) ?? [];
    index += found?.length ?? 0;
    return found !== undefined;
  };
  for (const tag of [doctype, htmlTag, headTag]) {
    const before = index;
    while (skip(ignorable));
    if (!skip(tag)) index = before;
  }
  return index;
};

/** Documents that match may run scripts or send forms. Addresses of scripts may hold character references, tabs and line breaks. */
const active =
  /s[\t\n\r]{0,99}c[\t\n\r]{0,99}r[\t\n\r]{0,99}i[\t\n\r]{0,99}p[\t\n\r]{0,99}t|form|\bon\w{1,99}\s{0,99}=|&(?:#|tab;|newline;)/i;

/**
 * Returns the script for a snippet in a frame: what it does before the snippet's own scripts, and removes itself. `path` is that of
 * the page which frames it.
 */
export const frameScript = (path: string, document?: string): string => {
  const script =
    document === undefined || active.test(document) ? frameScripts.active : frameScripts.inert;
  const { origin } = new URL(getSetting('PUBLIC_URL'));
  return script.replaceAll('{pageOrigin}', origin).replace('{pagePath}', path);
};

/**
 * Adds the frame script to a snippet. The document keeps its quirks or standards mode. `path` is that of the page which frames it.
 */
export const withFrameScript = (document: string, path: string): string => {
  const start = findHeadStart(document);
  return `${document.slice(0, start)}<script>${frameScript(path, document)}</script>${document.slice(start)}`;
};
