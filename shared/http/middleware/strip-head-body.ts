import type { Middleware } from '../http.ts';

const getLength = (body: string, isBase64Encoded = false): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

/**
 * Removes the body of a HEAD response and sets the content length of the GET response. Otherwise the gateway would set
 * 0, as it does for a response that hides its length.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.6
 */
export const stripHeadBody = (): Middleware => {
  const dropBody: Middleware['after'] = ({ event, response }) => {
    if (!response || event.requestContext.http.method !== 'HEAD') return;
    const { body, isBase64Encoded, statusCode, headers } = response;
    // A 304 has the content length of the full response, which is unknown here.
    if (body !== undefined && statusCode !== 304) {
      const length = String(getLength(body, isBase64Encoded));
      response.headers = { ...headers, 'content-length': length };
    }
    response.body = '';
  };
  return { after: dropBody, onError: dropBody };
};
