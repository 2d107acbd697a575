import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { Reply } from '../../../shared/http/reply.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { maxSubmittedBytes, type Refusal, toContent } from '../../api/share/intake/content.ts';
import type { StoredRequest, Submission } from '../../api/share/intake/request.ts';
import { findTaken, storageFull, submit } from '../../api/share/intake/submit.ts';
import {
  assertTakes,
  isAdmitted,
  issuePass,
  type VisitedRequest,
  visitRequest,
} from '../../api/share/intake/visit.ts';
import { readTheme } from '../layout/theme.ts';
import { maxNameLength, readName, type SubmittedForm } from './form.ts';
import { page } from './notices.ts';
import { type FormError, formPage, passwordPage } from './page.ts';
import { requestTexts as texts } from './texts.ts';

/** A form of a request that was sent. */
interface SentForm {
  readonly params: { readonly id: string };
  readonly body: SubmittedForm;
  readonly client: ClientInfo;
  readonly cookies: readonly string[];
  readonly overLimit: AppError | undefined;
  readonly recorder: ChangeRecorder;
}

/** The limits of passwords and the form need the same request. */
const visits = new WeakMap<object, Promise<VisitedRequest>>();

const visitOnce = ({
  params,
  body,
}: Pick<SentForm, 'params' | 'body'>): Promise<VisitedRequest> => {
  const visit = visits.get(body) ?? visitRequest(params.id);
  visits.set(body, visit);
  return visit;
};

/** Returns the id of the request that a form tries a password for, if it does. */
export const getTriedRequest = async (
  sent: Pick<SentForm, 'params' | 'body'>,
): Promise<string | undefined> => {
  if (sent.body.password === undefined) return undefined;
  const { request } = await visitOnce(sent);
  return request.password && request.id;
};

const toError = (refusal: Refusal): FormError => {
  if (refusal.reason === 'binary') {
    return { field: 'files', message: texts.binary(refusal.file) };
  }
  return refusal.reason === 'empty'
    ? { field: 'text', message: texts.empty }
    : { field: 'form', message: texts.tooLarge(maxSubmittedBytes) };
};

const statusOf: Readonly<Record<FormError['field'], number>> = {
  ...{ name: 400, text: 400, files: 400, form: 413 },
  password: 401,
};

/**
 * Returns what the form says when the content can't be taken.
 * @throws the error if the form is no longer of use
 */
const toFailure = (error: unknown, ownerName: string): FormError & { readonly status: number } => {
  if (!(error instanceof AppError)) throw error;
  const { code, status, message } = error;
  const say = (text: string) => ({ field: 'form' as const, message: text, status });
  if (code === 'SERVICE_UNAVAILABLE') return say(texts.busyText);
  if (code === 'UNPROCESSABLE') return say(texts.tooSlow);
  if (code !== 'PAYLOAD_TOO_LARGE') throw error;
  const isFull = message === storageFull().message;
  return say(isFull ? texts.full(ownerName) : texts.tooLarge(maxSubmittedBytes));
};

const toReceipt = ({ id }: StoredRequest, { receipt }: Submission): Reply<string> =>
  new Reply('', { status: 303, headers: { location: `/r/${id}?receipt=${receipt}` } });

/**
 * Takes what a form hands in, and redirects to its receipt. What is wrong is said by the form, with all that was typed.
 * @throws AppError NOT_FOUND, GONE if the request takes nothing more
 */
export const takeForm = async (sent: SentForm): Promise<Reply<string>> => {
  const { body, cookies, overLimit, recorder } = sent;
  const { claim, name: typedName, text, format, files } = body;
  const theme = readTheme(cookies);
  const visited = await visitOnce(sent);
  const { request, owner } = visited;
  const name = readName(typedName);
  const content = toContent(body);
  const submission =
    claim !== undefined && name !== undefined && 'content' in content
      ? { ...content, name, claim }
      : undefined;
  const taken = submission && findTaken(request, submission);
  if (taken) return toReceipt(request, taken);
  assertTakes(request);
  const pass = await issuePass(request);
  /** Shows the form again. Browsers keep no chosen files. */
  const refuse = ({ field, message }: FormError, status = statusOf[field]): Reply<string> => {
    const isAboutFiles = field === 'files' || files.length === 0;
    const error = { field, message: isAboutFiles ? message : `${message} ${texts.again}` };
    const asksPassword = field === 'password';
    const typed = { name: typedName, text, format };
    const state = { asksPassword, pass: asksPassword ? undefined : pass, typed, error };
    return page(formPage(visited, theme, state), status);
  };
  if (!(await isAdmitted(request, body))) {
    const isMissing = body.password === undefined;
    const message = isMissing ? texts.passwordAgain : texts.passwordIncorrect;
    const error = { field: 'password', message } as const;
    return claim === undefined
      ? page(passwordPage(visited, theme, error), statusOf.password)
      : refuse(error);
  }
  if (claim === undefined) return page(formPage(visited, theme, { pass }));
  if (overLimit) return refuse({ field: 'form', message: overLimit.message }, overLimit.status);
  if (name === undefined) {
    return refuse({ field: 'name', message: texts.nameWrong(maxNameLength) });
  }
  if (!submission) return refuse(toError(content as Refusal));
  try {
    return toReceipt(request, await submit(request, submission, recorder));
  } catch (error) {
    const { status, ...failure } = toFailure(error, owner.name);
    return refuse(failure, status);
  }
};
