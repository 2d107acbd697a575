/** Media types in which an error can be sent. */
const offered = ['text/html', 'application/json', 'text/plain'];

const getQuality = (parameters: readonly string[]): number => {
  const given = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
  return given === undefined ? 1 : Number(given.split('=')[1]);
};

/**
 * Returns whether an `Accept` header prefers HTML over JSON and plain text, by quality, then by order. Wildcards are
 * ignored, because programs send them too.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export const prefersHtml = (accept = ''): boolean => {
  const named = accept.split(',', 50).map((entry) => {
    const [type = '', ...parameters] = entry.split(';');
    return { type: type.trim().toLowerCase(), quality: getQuality(parameters) };
  });
  const [first] = named
    .filter(({ type, quality }) => offered.includes(type) && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return first?.type === 'text/html';
};
