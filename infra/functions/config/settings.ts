// What several functions have in common.

/** The memory that comes with one vCPU. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const oneCpuMb = 1_769;

/** What the functions read that authenticate users. */
export const authentication = ['JWT_REFRESH_EXPIRES', 'EMAIL_VERIFICATION'] as const;

/** What the functions read that offer ways to sign in. */
export const waysIn = ['PASSWORD_SIGN_IN', 'EMAIL_SIGN_IN'] as const;

/** What the functions read that decide who can open a share, and until when. */
export const audience = [
  'MAX_AUDIENCE',
  'REGISTRATION',
  'ALLOWED_DOMAINS',
  'MAX_SHARE_AGE',
] as const;
