import { destination, ownFrames } from '../../../functions/web/snippet/top-level.ts';
import { edgeHeaders } from '../../../shared/http/edge.ts';

/**
 * Leads a browser that opens an address of the snippets host by itself to the page at this origin, as the host itself does
 * (decisions.md#isolation). Here it comes before the cache, which so holds only what frames load. An address with a view
 * token is left to the host, whose notice the cache doesn't keep.
 */
const leadToPage = (serviceUrl: string): string => `
  var destination = request.headers['${destination}'];
  var path = /^\\/([\\w-]{1,64})$/.exec(request.uri);
  if (destination && destination.value === 'document' && path && !request.querystring.view) {
    return {
      statusCode: 303,
      statusDescription: 'See Other',
      headers: {
        location: { value: '${serviceUrl}' + (/^(?:${ownFrames.join('|')})$/.test(path[1]) ? '/' : '/s/' + path[1]) },
        vary: { value: '${destination}' },
        'cache-control': { value: 'no-store' },
        'referrer-policy': { value: 'no-referrer' },
      },
    };
  }`;

/**
 * Code in CloudFront: adds the viewer's address and host to a request, whatever the viewer sent in these headers. That of
 * the snippets host gets the URL of the service.
 */
export const viewerCode = (serviceUrl?: string): string => `function handler(event) {
  var request = event.request;${serviceUrl === undefined ? '' : leadToPage(serviceUrl)}
  request.headers['${edgeHeaders.address}'] = { value: event.viewer.ip };
  request.headers['${edgeHeaders.host}'] = { value: request.headers.host.value };
  return request;
}`;
