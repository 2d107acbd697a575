import type { Actor } from '../../../shared/auth/actor.ts';
import { isLeaving } from '../../../shared/auth/user.ts';
import { mustVerify } from '../../../shared/auth/verification.ts';

/** A page of what someone who has signed in must do before anything else. */
export type FirstStep = '/leaving' | '/verify' | '/enrol';

/** Returns the page of what someone who has signed in must do before anything else; `undefined` if that is nothing. */
export const findFirstStep = ({ user, mustEnrol }: Actor): FirstStep | undefined => {
  if (isLeaving(user)) return '/leaving';
  if (mustVerify(user)) return '/verify';
  return mustEnrol ? '/enrol' : undefined;
};
