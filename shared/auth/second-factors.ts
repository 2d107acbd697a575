/** The kinds of second factors: an authenticator app (`totp`), and passkeys. */
export const factorMethods = ['totp', 'passkey'] as const;

export type FactorMethod = (typeof factorMethods)[number];

/** What a second factor was proven by: one of the kinds, or a recovery code in its place. */
export const proofMethods = [...factorMethods, 'recovery'] as const;

export type ProofMethod = (typeof proofMethods)[number];
