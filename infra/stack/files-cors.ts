/** What pages of our origins may ask the bucket of files for: to upload by a form, and to read what they were led to. */
export const filesCors = {
  methods: ['GET', 'HEAD', 'POST', 'PUT'],
  headers: ['*'],
  exposed: ['ETag'],
  maxAgeSeconds: 3_600,
} as const;
