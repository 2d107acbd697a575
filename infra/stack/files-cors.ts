/** The CORS rules of the files bucket: form uploads, and downloads after a redirect. */
export const filesCors = {
  methods: ['GET', 'HEAD', 'POST', 'PUT'],
  headers: ['*'],
  exposed: ['ETag'],
  maxAgeSeconds: 3_600,
} as const;
