// Augments the token types.
import type {} from 'micromark-extension-gfm-autolink-literal';
import { sanitizeUri } from 'micromark-util-sanitize-uri';
import type { CompileContext, HtmlExtension, Token } from 'micromark-util-types';

/** Curly quotes, and the punctuation of Chinese, Japanese and Korean. Their sentences have no space behind an address. */
const wideEnd = /(?=[\u2018-\u201D\u3000-\u303F\uFF01-\uFF65])[\p{P}\p{S}\p{Zs}]/u;

const writeLink = (context: CompileContext, token: Token, scheme: string): undefined => {
  const source = context.sliceSerialize(token);
  const end = source.search(wideEnd);
  const address = end < 0 ? source : source.slice(0, end);
  const isLink = address.replace(/^(?:https?:\/\/|www\.)/i, '') !== '';
  if (isLink) context.tag(`<a href="${sanitizeUri(scheme + address)}">`);
  context.raw(context.encode(address));
  if (isLink) context.tag('</a>');
  context.raw(context.encode(source.slice(address.length)));
  return undefined;
};

/** Compiles the addresses that GFM finds in a text, up to punctuation that no writer means to be part of one. */
export const literalLinkHtml: HtmlExtension = {
  exit: {
    literalAutolinkHttp(token) {
      return writeLink(this, token, '');
    },
    literalAutolinkWww(token) {
      return writeLink(this, token, 'http://');
    },
  },
};
