const bytes = 8;

/** Returns what authenticators know a user by (Base64url): the id in 8 bytes. It says nothing about the person. */
export const toUserHandle = (userId: number): string => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeBigUInt64BE(BigInt(userId));
  return buffer.toString('base64url');
};

/** Returns the id of the user that an authenticator names; `undefined` if it names none. */
export const parseUserHandle = (handle: string | null | undefined): number | undefined => {
  const buffer = Buffer.from(handle ?? '', 'base64url');
  if (buffer.length !== bytes) return undefined;
  const userId = Number(buffer.readBigUInt64BE());
  return Number.isSafeInteger(userId) ? userId : undefined;
};
