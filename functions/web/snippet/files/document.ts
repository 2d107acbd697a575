import { isUtf8 } from 'node:buffer';
import { contentTypes } from '../../../../shared/http/http.ts';
import { withFrameScript } from '../frame-script.ts';

/** A page of a share, with the script of its frame. */
interface FramedDocument {
  readonly body: string | Uint8Array;
  readonly contentType: string;
}

/** The encodings that the first bytes of a text tell. */
const marks = [
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

const decode = (bytes: Uint8Array): string | undefined => {
  if (isUtf8(bytes)) return Buffer.from(bytes).toString();
  const mark = marks.find(({ bytes: first }) => first.every((byte, at) => bytes[at] === byte));
  return mark && new TextDecoder(mark.encoding).decode(bytes);
};

/**
 * Adds the script of the frame to a page. One in another encoding than Unicode stays as it is, so that what it says of that holds.
 * `path` is that of the page which frames it.
 */
export const toFramedDocument = (bytes: Uint8Array, path: string): FramedDocument => {
  const text = decode(bytes);
  if (text !== undefined) {
    return { body: withFrameScript(text, path), contentType: contentTypes.html };
  }
  // One byte a character, and back.
  const framed = withFrameScript(Buffer.from(bytes).toString('latin1'), path);
  return { body: Buffer.from(framed, 'latin1'), contentType: 'text/html' };
};
