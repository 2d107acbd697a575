const minLength = 32;
const minDifferent = 8;

/** Words of example secrets, keyboard patterns, and published secrets that look random. Lower case. */
const wellKnown = [
  'secret',
  'password',
  'passphrase',
  'changeme',
  'change-me',
  'change_me',
  'changethis',
  'example',
  'default',
  'random',
  'replace',
  '12345678',
  'abcdefgh',
  'qwerty',
  // RFC 7515, appendix A.1
  'aym1sysppbydfgzld3umj1qzkobwvmkoqq-estjqlr_t-1qs0gzh75aktmn3yj0ips4hcguutwjazzr1z9caow',
  // FastAPI's tutorial
  '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
  // Tutorials of Spring Security
  '404e635266556a586e3272357538782f413f4428472b4b6250645367566b5970',
  '3cfa76ef14937c1c0ea519f8fc057a80fcd04a7420f8e8bcd0a7567c272e007b',
];

/** Returns whether a text repeats its beginning to its end. */
const isRepeated = (text: string): boolean => {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.startsWith(text.slice(length))) return true;
  }
  return false;
};

/**
 * Returns whether a secret has under 32 characters or 8 different ones, is a repeated text, or contains a well-known one.
 * It rejects one random secret of 32 or more characters in a million at most.
 */
export const isWeakSecret = (secret: string): boolean =>
  secret.length < minLength ||
  new Set(secret).size < minDifferent ||
  isRepeated(secret) ||
  wellKnown.some((known) => secret.toLowerCase().includes(known));
