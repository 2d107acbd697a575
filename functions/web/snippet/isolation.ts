import { getSetting } from '../../../shared/runtime/settings.ts';
import { sandbox } from '../browser/preview/sandbox.ts';

/**
 * Returns the policy of a snippet: free within its frame, without access to the service or its readers
 * (decisions.md#isolation). All ancestors of its frame count, so the sites that embed its share, too. `sandbox` gives it an opaque origin, even if its URL is opened directly.
 * `files` is what the addresses of the share’s own files begin with, which it can read.
 */
export const snippetPolicy = (embedOrigins: readonly string[] = [], files?: string): string => {
  // Without https, as on this machine, the files aren’t among what all can load.
  const own = files === undefined || files.startsWith('https:') ? '' : ` ${files}`;
  const sources = `https: data: blob:${own}`;
  return [
    `sandbox ${sandbox}`,
    "default-src 'none'",
    `script-src ${sources} 'unsafe-inline'`,
    `style-src ${sources} 'unsafe-inline'`,
    `img-src ${sources}`,
    `font-src ${sources}`,
    `media-src ${sources}`,
    // What the snippet holds itself: its script reads the files that it offers.
    `connect-src data: blob:${files === undefined ? '' : ` ${files}`}`,
    "form-action 'none'",
    // https://www.w3.org/TR/CSP3/#directive-webrtc
    "webrtc 'block'",
    `frame-ancestors ${[getSetting('PUBLIC_URL'), ...embedOrigins].join(' ')}`,
  ].join('; ');
};

/**
 * Returns the policy of the frame that draws diagrams: it runs the scripts of this path and nothing else, loads nothing and is
 * framed by the service only. Mermaid writes styles into its drawings, and its icons are `data:` images.
 */
export const diagramPolicy = (scripts: string): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${getSetting('SNIPPETS_URL')}${scripts}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${getSetting('PUBLIC_URL')}`,
  ].join('; ');
