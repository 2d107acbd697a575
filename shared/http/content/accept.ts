/** Media types in which a response or an error can be sent. */
const offered = ['text/html', 'application/json', 'text/plain'];

const getQuality = (parameters: readonly string[]): number => {
  const given = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
  return given === undefined ? 1 : Number(given.split('=')[1]);
};

/**
 * Returns which of the offered types an `Accept` header prefers, by quality, then by order. Wildcards are ignored, because
 * programs send them too.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
const getPreferred = (accept = ''): string | undefined => {
  const named = accept.split(',', 50).map((entry) => {
    const [type = '', ...parameters] = entry.split(';');
    return { type: type.trim().toLowerCase(), quality: getQuality(parameters) };
  });
  const [first] = named
    .filter(({ type, quality }) => offered.includes(type) && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return first?.type;
};

/** Returns whether an `Accept` header prefers HTML over JSON and plain text. */
export const prefersHtml = (accept?: string): boolean => getPreferred(accept) === 'text/html';

/** Returns whether an `Accept` header prefers plain text over JSON and HTML. */
export const prefersText = (accept?: string): boolean => getPreferred(accept) === 'text/plain';
