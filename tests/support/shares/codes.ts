import { getCodePlace, loadAsking } from '../../../functions/api/share/codes/asking.ts';
import { hashCode } from '../../../shared/auth/email-codes/stored-code.ts';
import { createItemWrite, transact } from '../../../shared/db/transaction.ts';
import { type Answer, call } from '../service/call.ts';
import { form } from '../service/form.ts';
import { settleJobs } from '../service/jobs.ts';
import { mailsTo } from '../service/mail.ts';

/** Who asks, by the address of the client and what the browser keeps. */
interface Browser {
  readonly address?: string;
  readonly cookies?: readonly string[];
}

/** Presses the button that sends a code of a link. */
export const askCode = (link: string, browser: Browser = {}): Promise<Answer> =>
  call('POST /s/{id}/code', { params: { id: link }, ...form(), ...browser });

/** Enters a code of a link. */
export const enterCode = (link: string, code: string, browser: Browser = {}): Promise<Answer> =>
  call('POST /s/{id}/proof', { params: { id: link }, ...form({ code }), ...browser });

/** Returns the codes that were mailed to an address, in order. */
export const codesTo = async (email: string): Promise<string[]> => {
  await settleJobs();
  return (await mailsTo(email)).flatMap(({ text }) => text.match(/^\d{6}$/m) ?? []);
};

/** Gives a link a code that isn’t mailed. */
export const plantCode = async (linkId: string): Promise<string> => {
  const place = getCodePlace(await loadAsking(linkId));
  const code = '482915';
  const { proofId } = place;
  const fields = { proofId, sentAt: Date.now(), tries: 0, former: [], recent: [] };
  const item = { ...(await hashCode(place, { id: 'planted', code })), ...fields };
  await transact([createItemWrite(place.key, item)]);
  return code;
};

/** Returns another code of six digits. */
export const otherThan = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');

/** Returns the cookie with proofs that an answer sets, as the browser sends it back. */
export const proofsIn = ({ cookies = [] }: Answer): string[] =>
  cookies.filter((one) => one.startsWith('__Host-proofs=')).map((one) => one.split(';')[0] ?? '');

/** Proves to be the recipient of a link by a new code. Returns the cookies of the browser. */
export const prove = async (
  link: string,
  email: string,
  browser: Browser = {},
): Promise<string[]> => {
  await askCode(link, browser);
  return proofsIn(await enterCode(link, (await codesTo(email)).at(-1) ?? '', browser));
};
