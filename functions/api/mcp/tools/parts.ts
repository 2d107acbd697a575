import { invalidField } from '../../../../shared/runtime/errors.ts';
import { cutPart, type TextPart } from '../../../../shared/text/text-part.ts';

/**
 * Returns the part of a text that begins at an offset. It splits no character: within one, it begins with it.
 * @throws AppError VALIDATION_ERROR for an offset behind the end
 */
export const getPart = (whole: string, offset: number): TextPart => {
  const bytes = Buffer.from(whole);
  const size = bytes.length;
  if (offset > size) throw invalidField('offset', `must be at most ${size}, the size of the text`);
  return cutPart(bytes, offset);
};
