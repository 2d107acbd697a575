import type { Handler } from '../../../shared/http/create-handler.ts';
import { createFallback } from '../../../shared/http/fallback.ts';
import type { Host } from '../../../shared/http/host.ts';
import endpoints from './built/endpoints.json' with { type: 'json' };
import { fallbackPages } from './pages.ts';

const fallbacks: Readonly<Record<Host, Handler>> = {
  service: createFallback(endpoints.service, fallbackPages.service),
  snippets: createFallback(endpoints.snippets, fallbackPages.snippets),
};

/** Handles requests to unknown routes of the host that `API_HOST` names. */
export const handler: Handler = (event, context) =>
  fallbacks[process.env['API_HOST'] as Host](event, context);
