/** Returns bytes in base64url without padding (RFC 4648). */
export const toBase64url = (bytes: Uint8Array): string => {
  let binary = '';
  // A call takes a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

/** Returns the bytes of a text in base64url without padding; `undefined` if it is none, or not as it is written for these bytes. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  // The last letter may have bits that no byte has.
  const [start, end] = [text.length - (text.length % 4), bytes.length - (bytes.length % 3)];
  return text.slice(start) === toBase64url(bytes.subarray(end)) ? bytes : undefined;
};
