import {
  type CSSToken,
  isTokenAtKeyword,
  isTokenFunction,
  isTokenString,
  isTokenURL,
  isTokenWhiteSpaceOrComment,
  TokenType,
  tokenizer,
} from '@csstools/css-tokenizer';
import { type FoundReference, maxReferences } from './reference.ts';

/** An error costs the tokenizer as much as a hundred tokens. */
const maxErrors = 1_000;

/** Reads tokens, and stops where a text is no CSS. */
function* readTokens(css: string): Generator<CSSToken> {
  let errors = 0;
  const countError = (): void => {
    errors += 1;
  };
  const { nextToken, endOfFile } = tokenizer({ css }, { onParseError: countError });
  while (!endOfFile() && errors < maxErrors) yield nextToken();
}

/** Functions whose texts are addresses. */
const addressFunctions = /^(url|src|(-webkit-)?image-set)$/i;

/** Most style sheets have no address, or no escape by which one could be hidden, and tokens are slow. */
const mayHaveAddress = /url\(|src\(|image-set\(|@import|\\/i;

/** An address without quotes, within `url(` and its end. */
const bareAddress = /^[^(]*\(\s*(.*?)\s*\)?$/s;

const openers: ReadonlySet<TokenType> = new Set([TokenType.OpenParen, TokenType.OpenCurly]);
const closers: ReadonlySet<TokenType> = new Set([TokenType.CloseParen, TokenType.CloseCurly]);

/** Finds the addresses of `url()`, `image-set()` and `@import` in a style sheet, or in the text of a `style` attribute. */
export const findCssReferences = (css: string): FoundReference[] => {
  const found: FoundReference[] = [];
  if (!mayHaveAddress.test(css)) return found;
  // Whether each open parenthesis or brace is that of a function of addresses.
  const open: boolean[] = [];
  let isImport = false;
  for (const token of readTokens(css)) {
    if (found.length === maxReferences) break;
    if (isTokenWhiteSpaceOrComment(token)) continue;
    const [type, raw, first, last] = token;
    const kind = isImport ? 'style' : 'resource';
    if (isTokenURL(token)) {
      const address = bareAddress.exec(raw)?.[1] ?? '';
      const start = first + raw.indexOf(address, raw.indexOf('(') + 1);
      found.push({ url: token[4].value, start, end: start + address.length, kind });
    } else if (isTokenString(token) && (isImport || open.at(-1))) {
      // The end of the text ends it, too.
      const end = raw.length > 1 && raw.at(-1) === raw[0] ? last : last + 1;
      found.push({ url: token[4].value, start: first + 1, end, kind });
    }
    if (isTokenFunction(token)) open.push(addressFunctions.test(token[4].value));
    else if (openers.has(type)) open.push(false);
    else if (closers.has(type)) open.pop();
    // Its address follows at once, as a text or in a function.
    isImport = isTokenAtKeyword(token)
      ? token[4].value.toLowerCase() === 'import'
      : isImport && isTokenFunction(token);
  }
  return found;
};
