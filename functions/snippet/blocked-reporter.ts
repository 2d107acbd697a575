import { setting } from '../../shared/settings.ts';

/** As much as the page around can use. */
const mostReported = 30;
/** UTF-16 units of an address. */
const longestAddress = 200;

/** What may stand before `<html>` and `<head>` and make no element: white space, comments, `<?xml …?>`. */
const nothing = /(?:[\t\n\f\r ]+|<\?[^>]*>|<!--(?:-?>|[\s\S]*?--!?>))/y;
/** What a tag has between its name and its end. It is bounded, for whoever wrote the document may be up to something. */
const inner = `(?:"[^"]{0,500}"|'[^']{0,500}'|[^"'>]){0,2000}`;
const doctype = new RegExp(`<!doctype${inner}>`, 'iy');
const htmlTag = new RegExp(`<html(?:[\\s/]${inner})?>`, 'iy');
const headTag = new RegExp(`<head(?:[\\s/]${inner})?>`, 'iy');

/** Where the head of a document begins: after its doctype, on which the mode hangs, and after the tags before it. */
const headOf = (document: string): number => {
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

/**
 * The script tells the page around the frame what the policy has blocked, at once and again when that asks, which may
 * come to listen later. It leaves nothing of itself behind in the document.
 * Anything in the frame can send the same message: the page believes none of it.
 */
const reporter = (pageOrigin: string): string =>
  `<script>(o=>{let b=[],t=()=>parent.postMessage({blocked:b},o);document.currentScript.remove();if(parent===self)return;document.addEventListener("securitypolicyviolation",e=>{if(b.length<${mostReported}){b.push([e.effectiveDirective,e.blockedURI.slice(0,${longestAddress})]);t()}});addEventListener("message",e=>{if(e.source===parent&&e.data==="blocked?"){e.stopImmediatePropagation();t()}})})(${JSON.stringify(pageOrigin)})</script>`;

/** A snippet that tells what its frame's policy blocks. The document stays in its mode, quirks or standards. */
export const withReporter = (document: string): string => {
  const at = headOf(document);
  const page = new URL(setting('PUBLIC_URL')).origin;
  return document.slice(0, at) + reporter(page) + document.slice(at);
};
