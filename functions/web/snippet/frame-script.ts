import { getSetting } from '../../../shared/runtime/settings.ts';
import { blockedReporter } from './csp-reporter.ts';
import { outwardLinks } from './external-links.ts';

/** What may stand before `<html>` and `<head>` and make no element: white space, comments, `<?xml …?>`. */
const nothing = /(?:[\t\n\f\r ]+|<\?[^>]*>|<!--(?:-?>|[\s\S]*?--!?>))/y;
/** What a tag has between its name and its end. It is bounded, for whoever wrote the document may be up to something. */
const inner = `(?:"[^"]{0,500}"|'[^']{0,500}'|[^"'>]){0,2000}`;
const doctype = new RegExp(`<!doctype${inner}>`, 'iy');
const htmlTag = new RegExp(`<html(?:[\\s/]${inner})?>`, 'iy');
const headTag = new RegExp(`<head(?:[\\s/]${inner})?>`, 'iy');

/** Where the head of a document begins: after its doctype, on which the mode hangs, and after the tags before it. */
const getHead = (document: string): number => {
  let at = document.startsWith('\ufeff') ? 1 : 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(document) ?? [];
    at += found?.length ?? 0;
    return found !== undefined;
  };
  for (const tag of [doctype, htmlTag, headTag]) {
    const before = at;
    while (skip(nothing));
    if (!skip(tag)) at = before;
  }
  return at;
};

/** What a snippet's document does for the page around it. It leaves nothing of itself behind in the document. */
const script = (pageOrigin: string): string =>
  `<script>document.currentScript.remove();if(parent!==self){${outwardLinks};${blockedReporter(pageOrigin)}}</script>`;

/** A snippet with the script for its frame. The document stays in its mode, quirks or standards. */
export const withFrameScript = (document: string): string => {
  const at = getHead(document);
  const page = new URL(getSetting('PUBLIC_URL')).origin;
  return document.slice(0, at) + script(page) + document.slice(at);
};
