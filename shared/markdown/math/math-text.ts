import type { Code, Construct, State, TokenizeContext, Tokenizer } from 'micromark-util-types';

const dollar = 36;
const backtick = 96;
const backslash = 92;

const isLineEnding = (code: Code): boolean => code !== null && code < -2;
const isSpace = (code: Code): boolean => code !== null && (code < 0 || code === 32);

/** Whether a code is an ASCII letter or digit. Other scripts write math without spaces around it. */
const isWord = (code: Code): boolean =>
  code !== null &&
  ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122));

/**
 * Reads `$x$`, `$$x$$` and `` $`x`$ ``. A price is no math: `$x$` has no space inside its dollar signs, and no letter
 * or digit beside them. It ends at the next dollar sign or not at all, so that reading stays linear.
 */
const tokenize: Tokenizer = (effects, ok, nok) => {
  let size = 0;
  let isQuoted = false;
  let last: Code = null;

  const open: State = (code) => {
    if (code === dollar && size < 3) {
      size++;
      effects.consume(code);
      return open;
    }
    if (size === 3 || code === null) return nok(code);
    isQuoted = size === 1 && code === backtick;
    if (isQuoted) {
      effects.consume(code);
      return data;
    }
    return size === 1 && isSpace(code) ? nok(code) : data(code);
  };
  const consume = (code: Code, next: State): State => {
    last = code;
    effects.consume(code);
    return next;
  };
  const data: State = (code) => {
    if (code === null) return nok(code);
    if (isLineEnding(code)) {
      effects.exit('mathTextData');
      return lineEnding(code);
    }
    if (code === backslash) return consume(code, escaped);
    if (isQuoted && code === backtick) return consume(code, close);
    if (code === dollar && !isQuoted) {
      if (size === 1 && isSpace(last)) return nok(code);
      return size === 1 ? close(code) : consume(code, secondDollar);
    }
    return consume(code, data);
  };
  const lineEnding: State = (code) => {
    effects.enter('lineEnding');
    last = code;
    effects.consume(code);
    effects.exit('lineEnding');
    return lineStart;
  };
  const lineStart: State = (code) => {
    if (code === null) return nok(code);
    if (isLineEnding(code)) return lineEnding(code);
    effects.enter('mathTextData');
    return data(code);
  };
  const escaped: State = (code) =>
    code === null || isLineEnding(code) ? data(code) : consume(code, data);
  const secondDollar: State = (code) => (code === dollar ? close(code) : data(code));
  const close: State = (code) => {
    if (code !== dollar) return nok(code);
    effects.consume(code);
    return after;
  };
  const after: State = (code) => {
    if (code === dollar || isWord(code)) return nok(code);
    effects.exit('mathTextData');
    effects.exit('mathText');
    return ok(code);
  };

  return (code) => {
    effects.enter('mathText');
    effects.enter('mathTextData');
    return open(code);
  };
};

function previous(this: TokenizeContext, code: Code): boolean {
  if (isWord(code)) return false;
  return code !== dollar || this.events.at(-1)?.[1].type === 'characterEscape';
}

/** Math within a text, by the rules of GitHub. */
export const mathText: Construct = { name: 'mathText', tokenize, previous };
