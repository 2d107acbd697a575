/** The CORS rules for pages of allowed origins. */
export const corsRules = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  headers: [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'mcp-method',
    'mcp-name',
    'mcp-protocol-version',
    'x-share-password',
  ],
  exposed: [
    'etag',
    'idempotency-replayed',
    'x-request-id',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'www-authenticate',
    'content-disposition',
    'link',
    'x-next-cursor',
  ],
  maxAgeSeconds: 3_600,
} as const;
