import {
  type CodePlace,
  codeLifetimeMs,
  createCode,
  hashCode,
} from '../../../../shared/auth/email-codes/stored-code.ts';
import { signToken } from '../../../../shared/auth/tokens.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { accountKeys } from '../record/keys.ts';

const purpose = 'sign-in code';

/** Returns where the codes that sign a user in are kept. They prove the address that they are sent to. */
export const getSignInCodePlace = ({
  id: userId,
  email,
}: Pick<StoredUser, 'id' | 'email'>): CodePlace => ({
  key: accountKeys.signInCode.at({ userId }),
  purpose,
  proofId: email,
});

/** Creates a code and the token of its link for an address, whether or not it has an account. */
export const createSignInCode = async (email: string) => {
  const { id, code } = createCode();
  const [hashed, token] = await Promise.all([
    hashCode({ purpose }, { id, code }),
    signToken('sign-in-link', { email, code: id }, codeLifetimeMs),
  ]);
  return { email, code, hashed, token };
};
