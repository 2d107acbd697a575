import type { Actor } from '../../../shared/auth/actor.ts';
import { mustVerify } from '../../../shared/auth/verification.ts';

/** Returns the page of what someone who has signed in must do before anything else; `undefined` if that is nothing. */
export const findFirstStep = ({ user, mustEnrol }: Actor): '/verify' | '/enrol' | undefined => {
  if (mustVerify(user)) return '/verify';
  return mustEnrol ? '/enrol' : undefined;
};
