/** Returns the options of a call that sends a form as a page does. */
export const form = (fields: Readonly<Record<string, string>> = {}) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
