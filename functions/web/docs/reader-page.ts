import { Html, html } from '../../../shared/text/html.ts';
import { cspHash } from './csp-hash.ts';

const script = `
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reader',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;

/** Returns the content security policy of the reader. Swagger UI sets inline styles. */
export const readerPolicy = (): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${cspHash(script)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Renders the API reference. */
export const readerPage = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Handbill API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="reader"><noscript>Download the OpenAPI document: <a href="/api/openapi.json">/api/openapi.json</a></noscript></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script>${new Html(script)}</script>
</body>
</html>
`.markup;
