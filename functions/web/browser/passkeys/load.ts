import { PasskeyError } from './passkey-error.ts';

/** Loads what talks to the browser of passkeys, which most visits don't need. @throws PasskeyError if it can't be loaded */
export const loadCeremonies = async (): Promise<typeof import('./ceremonies.ts')> => {
  try {
    return await import('./ceremonies.ts');
  } catch (error) {
    throw new PasskeyError('notLoaded', error);
  }
};
