import { getSetting } from '../../../shared/runtime/settings.ts';

/** The sandbox of the frame and of the snippet's policy, never with the same origin (decisions.md#isolation). */
export const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

/**
 * Returns the policy of a snippet: free within its frame, without access to the service or its readers
 * (decisions.md#isolation). All ancestors of its frame count, so the sites that embed its share, too. `sandbox` gives it an opaque origin, even if its URL is opened directly.
 */
export const snippetPolicy = (embedOrigins: readonly string[] = []): string => {
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
    `frame-ancestors ${[getSetting('PUBLIC_URL'), ...embedOrigins].join(' ')}`,
  ].join('; ');
};
