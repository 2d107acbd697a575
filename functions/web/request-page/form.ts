import * as z from 'zod';
import { getFilePart } from '../../../shared/http/multipart.ts';
import { label } from '../../../shared/input/fields.ts';
import { type Format, formats, maxSubmittedBytes } from '../../api/share/intake/content.ts';

/** The most files that are handed in at once. */
export const maxFiles = 20;

/** The longest name. UTF-16 units. */
export const maxNameLength = 80;

/** What the form of a request can have: a text that is too long is read, so that it is shown again. */
export const formLimits = { files: maxFiles, fieldSize: 2 * maxSubmittedBytes } as const;

/** A field that is read whatever it has, because the form itself says what is wrong. */
const typed = z.string().default('');

/** The form of a request. With `claim`, it is filled in; otherwise it has only the password. */
export const SubmissionForm = z.object({
  claim: z.string().max(64).optional().meta({
    description: 'Identifies the form, so that submitting it again takes nothing twice.',
  }),
  pass: z.string().max(1_024).optional().meta({
    description: 'What the form has of a request whose password was entered.',
  }),
  password: z.string().max(64).optional(),
  name: typed,
  text: typed.meta({ description: 'A text, beside the files or alone.' }),
  format: z.enum(formats).default('text').catch('text').meta({
    description: 'How the text is shown, if it is alone.',
  }),
  files: z
    .array(getFilePart('A text file.'), 'must be files, each with a name')
    .default([])
    .meta({ description: `Up to ${maxFiles} text files.` }),
});

export type SubmittedForm = z.output<typeof SubmissionForm>;

/** What was typed, to show it again. */
export interface Typed {
  readonly name: string;
  readonly text: string;
  readonly format: Format;
}

const Name = label(maxNameLength);

/** Returns a name as it is stored, or `undefined` for one that isn't. */
export const readName = (name: string): string | undefined => {
  const read = Name.safeParse(name);
  return read.success ? read.data : undefined;
};
