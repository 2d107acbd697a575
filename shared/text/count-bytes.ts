const encoder = new TextEncoder();

/** Returns the size of a text as UTF-8. */
export const countBytes = (text: string): number => encoder.encode(text).length;
