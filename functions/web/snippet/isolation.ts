import { getSetting } from '../../../shared/runtime/settings.ts';

/** What the frame may do, on the page and in the snippet's own policy (decisions.md#isolation). Never the same origin. */
export const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

/**
 * What a snippet may do (decisions.md#isolation): anything within its frame, nothing to the service or its readers.
 * `sandbox` gives it an origin of its own, also when its address is opened by itself.
 */
export const snippetPolicy = (): string => {
  const sources = 'https: data: blob:';
  return [
    `sandbox ${sandbox}`,
    "default-src 'none'",
    `script-src ${sources} 'unsafe-inline'`,
    `style-src ${sources} 'unsafe-inline'`,
    `img-src ${sources}`,
    `font-src ${sources}`,
    `media-src ${sources}`,
    "connect-src 'none'",
    "form-action 'none'",
    `frame-ancestors ${getSetting('PUBLIC_URL')}`,
  ].join('; ');
};
