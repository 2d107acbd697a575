import * as z from 'zod';
import { createImmutableTexts } from '../../../shared/http/content/immutable-texts.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { Html, html } from '../../../shared/text/html.ts';
import manifest from './built/diagram-manifest.json' with { type: 'json' };
import { findDiagramScript } from './diagram-scripts.ts';
import { diagramPolicy } from './isolation.ts';
import { ownFrameRoute } from './own-frame.ts';
import { snippetTexts as texts } from './texts.ts';

/** The path of the frame's scripts. */
const scriptPath = '/diagram/';

// On paper, a drawing in dark colors is inverted; the page around it is light there.
const style = new Html(
  'html,body{margin:0;overflow:hidden}svg{display:block;width:100%;max-width:none!important;height:auto}@media print{.dark{color-scheme:light}.dark svg{filter:invert(1) hue-rotate(180deg)}}',
);

const diagramPage = (): string =>
  html`<!doctype html><html lang="en" data-page="${getSetting('PUBLIC_URL')}"><meta charset="utf-8"><title>${texts.diagram}</title><style>${style}</style>${manifest.chunks.map((name) => html`<link rel="modulepreload" href="${scriptPath}${name}">`)}<script type="module" src="${scriptPath}${manifest.entry}"></script><body></body></html>`
    .markup;

const serve = createImmutableTexts(findDiagramScript);

export const diagramRoutes = [
  ownFrameRoute({
    name: 'diagram',
    summary: 'Show the diagram frame',
    description: 'Draws the Mermaid diagram that a page sends to the frame.',
    render: diagramPage,
    policy: () => diagramPolicy(scriptPath),
    // It names scripts of this release.
    maxAgeSeconds: 300,
  }),
  route({
    endpoint: 'GET /diagram/{file}',
    access: 'public',
    cache: 'for-good',
    // The frame has an opaque origin, and modules are requested with CORS.
    isForAnyOrigin: true,
    summary: 'Get a script of diagrams',
    description: 'The name contains a hash of the content, so it can be cached forever.',
    params: z.object({ file: z.string().max(100) }),
    headers: z.object({ 'accept-encoding': z.string().optional() }),
    output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    produces: 'javascript',
    handle: async ({ params, headers }) => {
      const { body, headers: served } = await serve(params.file, headers['accept-encoding']);
      return new Reply(body, {
        headers: { ...served, 'access-control-allow-origin': '*' },
      });
    },
  }),
];
