import type { Middleware } from '../http.ts';

/** Leaves the body out of the answer to HEAD, whatever it is. */
export const emptyHead = (): Middleware => {
  const dropBody: Middleware['after'] = ({ event, response }) => {
    if (response && event.requestContext.http.method === 'HEAD') response.body = '';
  };
  return { after: dropBody, onError: dropBody };
};
