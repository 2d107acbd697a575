/** Messages of failures that the service does not word itself. */
export const clientTexts = {
  unreachable: 'Can’t reach the server. Check your connection and try again.',
  timedOut: 'The server took too long to respond. Try again.',
  failed: 'Something went wrong. Try again.',
  busy: 'The service is busy. Try again later.',
  notProven: 'You didn’t confirm that it’s you, so nothing was changed.',
  tooLarge: 'This is too large to send.',
  storageUnreachable: 'Upload failed. Check your connection and try again.',
  storageRefused: 'The upload was rejected. Try again.',
  fileChanged: 'The file changed after you selected it. Select it again.',
} as const;
