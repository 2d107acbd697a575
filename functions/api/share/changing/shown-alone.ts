import { getFileType } from '../../../../shared/share-files/types.ts';
import { decodeText } from '../../../../shared/text/decode.ts';

/** A file that may be all of a share. */
interface SingleFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const svg = /<svg[\s>]/i;
const pdfMark = Buffer.from('%PDF-');

/** Whether a file is a text that is shown as lines. Pictures in SVG and some PDF are texts, too, but nobody reads those. */
export const isShownAsText = ({ name, bytes }: SingleFile): boolean => {
  const text = decodeText(bytes)?.text;
  if (text === undefined) return false;
  const type = getFileType(name, bytes);
  if (type === 'image/svg+xml') return !svg.test(text);
  return type !== 'application/pdf' || !pdfMark.equals(bytes.subarray(0, pdfMark.length));
};

/** Whether a file is a picture, sound, film or PDF, which is shown by itself (decisions.md#kinds). */
export const isShownAlone = (file: SingleFile): boolean =>
  /^(image|audio|video)\/|^application\/pdf$/.test(getFileType(file.name, file.bytes)) &&
  !isShownAsText(file);

const textTypes = /^text\/|^application\/(json|manifest\+json)$|^image\/svg\+xml$/;

/** Whether a file can only be downloaded: it is no text, and its name doesn’t say that it is one. */
export const isDownload = ({ name, bytes }: SingleFile): boolean =>
  decodeText(bytes) === undefined && !textTypes.test(getFileType(name));
