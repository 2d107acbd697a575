const minLength = 32;
const minDifferent = 8;
const minSurprises = 20;

/** Secrets that look random but are published. */
const published = [
  // RFC 7515, appendix A.1
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  // FastAPI's tutorial
  '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
  // Tutorials of Spring Security
  '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970',
  '3cfa76ef14937c1c0ea519f8fc057a80fcd04a7420f8e8bcd0a7567c272e007b',
].map((secret) => secret.toLowerCase());

/** Words in the example secrets of READMEs, jwt.io and this project's tests. */
const words = `
  2023 2024 2025 2026 256 384 512 access admin app application auth authentication authorization backend bar base
  benchmark bit bits byte bytes change char character characters chars cookie default demo dev development django
  don dummy enough ensure env environment ever example express fallback foo for from generate generation goes
  handbill hash have here hmac hs256 insecure insert java jsonwebtoken jwt keep key least length local long min
  minimum must nest never nobody node not now only openssl output pass passphrase password phrase placeholder
  please private prod production rand random refresh replace safe sample secret secure server service session
  share should sign signature signing some something spring string strong super test than that the this token top
  ultra unsafe update use used user valid value very web which with word your
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
const shortWords = 'an at be by do in is it me my of on or so to we a i t 32 64'.split(' ');
const wordAt = new RegExp(
  `[\\s_.,:-]*(?:${words.join('|')})(?:e?[ds]|ing)?|(?:^|[\\s_.,:-]+)(?:${shortWords.join('|')})(?![a-z0-9])`,
  'y',
);

const letterOf: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const keyboard = [...rows, ...rows.map((row) => [...row].reverse().join(''))];

const isWithin = (text: string) => (row: string) => row.includes(text);

/** Returns the length of a run along a keyboard row, the alphabet or the digits that starts at `at`, or 0 below 4. */
const runLength = (text: string, at: number): number => {
  let length = 4;
  if (at + length > text.length || !keyboard.some(isWithin(text.slice(at, at + length)))) return 0;
  while (at + length < text.length && keyboard.some(isWithin(text.slice(at, at + length + 1)))) {
    length++;
  }
  return length;
};

/** Returns the length of the text at `at` that occurred before, or 0 below 3. */
const repeatLength = (text: string, at: number): number => {
  let longest = 0;
  for (let from = 0; from < at; from++) {
    let length = 0;
    while (at + length < text.length && text[from + length] === text[at + length]) length++;
    longest = Math.max(longest, length);
  }
  return longest >= 3 ? longest : 0;
};

const wordLength = (text: string, at: number): number => {
  wordAt.lastIndex = at;
  return wordAt.exec(text)?.[0].length ?? 0;
};

/**
 * Returns the length of the secret, counting each word, run and repetition as one character. Stops when it is long
 * enough.
 */
const countSurprises = (secret: string): number => {
  const text = secret.toLowerCase();
  const spelled = text.replace(/[013457@$]/g, (character) => letterOf[character] ?? character);
  let count = 0;
  for (let at = 0; at < text.length && count < minSurprises; count++) {
    at += Math.max(
      1,
      wordLength(text, at),
      wordLength(spelled, at),
      runLength(text, at),
      repeatLength(text, at),
    );
  }
  return count;
};

/** Counts each word of a list as two characters, because dice lists have 7,776 words. */
const countOfWords = (secret: string): number =>
  /^[A-Z]?[a-z]+([\s_.,:-]+[A-Z]?[a-z]+)+$/.test(secret)
    ? 2 * secret.split(/[\s_.,:-]+/).length
    : Infinity;

/**
 * Returns whether a secret can be guessed or looked up, because it
 * - has under 32 characters, or under 8 different ones;
 * - contains a published secret;
 * - has under 20 characters when each common word (`secret`, `ch4ngeme`), keyboard row (`qwerty`, `4321`) and
 * repetition counts as one, and each word of a plain word list as two.
 *
 * Random secrets of 32 or more characters pass. It rejects one in 28 million in hex (for too few different characters;
 * none of 4 million for another reason), and none of 3 million each in base64, base64url and alphanumeric.
 */
export const isWeakSecret = (secret: string): boolean =>
  secret.length < minLength ||
  new Set(secret).size < minDifferent ||
  published.some((known) => secret.toLowerCase().includes(known)) ||
  Math.min(countSurprises(secret), countOfWords(secret)) < minSurprises;
