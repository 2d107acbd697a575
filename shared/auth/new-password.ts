import * as z from 'zod';
import { Password } from './passwords.ts';

let known: ReadonlySet<string> | undefined;

/** Returns whether a password is one of the best-known ones, in any case. */
const isKnown = async (password: string): Promise<boolean> => {
  if (!known) {
    // Loaded with the first new password, because it is larger than all the rest of registration.
    const { default: list } = await import('./built/known-passwords.json', {
      with: { type: 'json' },
    });
    known = new Set(list);
  }
  return known.has(password.toLowerCase());
};

/** A password that someone sets: none of the 10,000 best-known ones. Parse it asynchronously (decisions.md#passwords). */
export const NewPassword = Password.refine(
  async (text) => !(await isKnown(text)),
  'must not be one of the 10,000 best-known passwords, which attackers try first',
).meta({
  description:
    'At least 6 characters, at most 72 bytes in UTF-8, and none of the 10,000 best-known passwords.',
});

interface WithNewPassword {
  readonly password: string;
  readonly confirmPassword?: string | null;
}

/** Creates a schema with a new `password`. `confirmPassword` is optional and must equal it. Parse it asynchronously. */
export const withNewPassword = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ ...shape, password: NewPassword, confirmPassword: z.string().nullish() }).refine(
    (value) => {
      // The type of a shape with a type parameter does not show the fields that were added.
      const { password, confirmPassword } = value as unknown as WithNewPassword;
      return confirmPassword == null || password === confirmPassword;
    },
    { path: ['confirmPassword'], message: 'must equal password' },
  );
