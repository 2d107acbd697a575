// One module, because each that is loaded by itself adds to the start of the function.
import { pauseMs } from '../../../../shared/auth/email-codes/add-code.ts';
import { isCurrent } from '../../../../shared/auth/email-codes/stored-code.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { loadAsking, loadLinkCode } from '../../../api/share/codes/asking.ts';
import { createProofsCookie } from '../../../api/share/codes/proofs-cookie.ts';
import { type Proving, proveByCode } from '../../../api/share/codes/prove.ts';
import { sendCode } from '../../../api/share/codes/send.ts';
import { readTheme } from '../../layout/theme.ts';
import { pageHeaders } from '../page-reply.ts';
import { askPage, enterPage, type Shown } from './code-page.ts';
import { codeTexts as texts } from './texts.ts';

/** Who presses a button of the pages. */
interface Reader {
  readonly id: string;
  readonly cookies: readonly string[];
}

/**
 * Shows the wish to send a code of a link.
 * @throws AppError as `loadAsking`
 */
export const showAsking = async (id: string, shown: Shown): Promise<string> =>
  askPage(await loadAsking(id), shown);

/**
 * Shows the form for the newest code of a link, or the wish to send one if none is valid.
 * @throws AppError as `loadAsking`
 */
export const showCode = async (id: string, shown: Shown): Promise<string> => {
  const [link, code] = await Promise.all([loadAsking(id), loadLinkCode(id)]);
  const isSent = code?.proofId === link.proofId && isCurrent(code, Date.now());
  if (!isSent) return askPage(link, shown);
  const waitSeconds = Math.ceil((code.sentAt + pauseMs - Date.now()) / 1_000);
  return enterPage(link, waitSeconds, shown);
};

/** Shows the form again, with what is wrong. */
const replyWithError = async (
  { id, cookies }: Reader,
  code: 'UNAUTHORIZED' | 'RATE_LIMITED',
  error: string,
  headers = {},
): Promise<Reply<string>> =>
  new Reply(await showCode(id, { theme: readTheme(cookies), error }), {
    status: new AppError(code, error).status,
    headers: { ...pageHeaders(), ...headers },
  });

/**
 * Sends a code, and leads to the form for it.
 * @throws AppError as `loadAsking` and `sendCode`
 */
export const answerSend = async (reader: Reader, network: string): Promise<Reply<string>> => {
  const { id } = reader;
  const { refusedUntil } = await sendCode(await loadAsking(id), network);
  if (refusedUntil === undefined) return new Reply('', { headers: { location: `/s/${id}/code` } });
  const seconds = Math.ceil((refusedUntil - Date.now()) / 1_000);
  const headers = { 'retry-after': String(seconds) };
  return replyWithError(reader, 'RATE_LIMITED', texts.tooMany(Math.ceil(seconds / 60)), headers);
};

/** Says what is wrong with a code, and how often it can still be tried. */
const toError = ({ fault, left }: Proving): string | undefined => {
  if (fault === undefined) return undefined;
  if (left > 0) return `${texts.faults[fault]} ${texts.left(left)}`;
  return fault === 'incorrect' ? texts.faults.spent : texts.faults[fault];
};

/**
 * Tries a code. The right one is kept by the browser, and leads to the page of the link.
 * @throws AppError as `loadAsking`
 */
export const answerCode = async (reader: Reader, text: string): Promise<Reply<string>> => {
  const { id, cookies } = reader;
  const link = await loadAsking(id);
  const code = text.replace(/[\s-]/g, '');
  const error = /^\d{6}$/.test(code) ? toError(await proveByCode(link, code)) : texts.incomplete;
  if (error !== undefined) return replyWithError(reader, 'UNAUTHORIZED', error);
  const cookie = await createProofsCookie(cookies, { link: id, id: link.proofId });
  return new Reply('', { headers: { location: `/s/${id}` }, cookies: [cookie] });
};
