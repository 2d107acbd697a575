import * as z from 'zod';
import { FilePathParam } from '../requests/file-fields.ts';
import { ShareId } from '../requests/request-fields.ts';

/** The path of a file to put, as part of an address. What is wrong with it is a 400 that says so. */
export const FileParams = z.object({ ...ShareId.shape, path: FilePathParam });

// Base64 ends with two at most; an open number of them would take quadratic time on a text full of them.
const withoutPadding = (base64: string): string => base64.replace(/={1,2}$/, '');

/** Returns the bytes of a text in Base64, which may have line ends; `undefined` if it is none. */
const decodeBase64 = (text: string): Buffer | undefined => {
  const base64 = text.replace(/\s+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  return withoutPadding(bytes.toString('base64')) === withoutPadding(base64) ? bytes : undefined;
};

/** The body of `PUT /api/share/{id}/files/{path+}`: a text, or bytes in Base64. */
export const FileInput = z
  .object({
    content: z
      .string()
      .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
      .optional()
      .meta({
        description:
          'The text of the file, which is stored in UTF-8: up to 4 MB, as the HTML page up to 16 MB.',
      }),
    base64: z
      .string()
      .refine((text) => decodeBase64(text) !== undefined, 'must be Base64')
      .optional()
      .meta({ description: 'The bytes of the file in Base64, instead of `content`.' }),
  })
  .refine(({ content, base64 }) => (content === undefined) !== (base64 === undefined), {
    path: ['content'],
    error: 'is required, or `base64`, and not both',
  })
  .meta({ id: 'PutShareFileInput', examples: [{ content: 'h1 { color: teal }' }] });

/** Returns the bytes that a body has. */
export const toBytes = ({ content = '', base64 }: z.output<typeof FileInput>): Uint8Array =>
  (base64 === undefined ? undefined : decodeBase64(base64)) ?? Buffer.from(content);
