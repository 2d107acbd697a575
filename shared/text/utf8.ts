/** Returns the text of bytes in UTF-8, with its byte order mark; `undefined` if they are none or contain NUL. */
export const decodeUtf8 = (bytes: Uint8Array | ArrayBuffer): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
};
