import { ApiError } from '../../../browser/client/api-error.ts';
import { isUnproven } from '../../../browser/client/proof.ts';
import { clientTexts } from '../../../browser/client/texts.ts';
import { post } from '../../../browser/data/post.ts';
import { consentTexts as texts } from '../texts.ts';
import { get } from './parts/elements.ts';
import { leave } from './parts/leaving.ts';
import { watchPresence, whenVisible } from './parts/presence.ts';
import { withProof } from './parts/proof.ts';
import { readAnswer, showFailure, showQuestion, showRefusal } from './parts/question.ts';
import {
  type Decision,
  decide,
  getParameter,
  type Question,
  readRequest,
  readUser,
  type User,
} from './parts/requests.ts';
import { getHost, isReturn } from './parts/return-address.ts';
import { createWay, showContinuing, showNotice, showView } from './parts/views.ts';

/** Opens the page again: the server then shows who must sign in or verify their address how. */
const reopen = (): void => location.replace(location.pathname + location.search);

/** Whether the page is for nobody, or for somebody who must do something first, such as verify their address. */
const isForOthers = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 401 ||
    error.code === 'VERIFICATION_REQUIRED' ||
    error.code === 'ENROLMENT_REQUIRED' ||
    error.code === 'DELETION_PENDING');

const showError = (error: unknown): void => {
  const isKnown = error instanceof ApiError;
  const fields = new Set(isKnown ? error.details.map(({ field }) => field) : []);
  const message = isKnown ? error.message : clientTexts.failed;
  if (!isKnown || error.status !== 400) {
    const ways = [createWay(texts.again, reopen)];
    showNotice({ title: texts.failed, about: message, mark: 'cross', ways });
    return;
  }
  const [title, about] = fields.has('client_id')
    ? [texts.unknownClient, texts.unknownClientWhy]
    : fields.has('redirect_uri')
      ? [texts.unknownRedirect, texts.unknownRedirectWhy]
      : [texts.invalid, texts.invalidWhy];
  showNotice({ title, about, mark: 'cross', detail: message });
};

/** Lets the person decide about going back to an app that asked wrongly: nobody knows yet if it is theirs. */
const showReturn = (address: string): void => {
  const isSafe = isReturn(address, getParameter('redirectUri') ?? '');
  const detail = isSafe ? new URL(address).searchParams.get('error_description') : null;
  showNotice({
    title: texts.invalid,
    about: texts.invalidWhy,
    mark: 'cross',
    ...(detail !== null && { detail }),
    ways: isSafe
      ? [createWay(texts.returnTo(getHost(address)), () => location.assign(address))]
      : [],
  });
};

/** Handles the buttons of the question. */
const handleButtons = (question: Question, user: User): void => {
  const { client, isLoopback } = question;
  const [allow, deny] = [get('#allow'), get('#deny')];
  let isPresent = false;
  let isSending = false;

  const send = async (button: HTMLElement, answer: Decision): Promise<void> => {
    isSending = true;
    button.setAttribute('aria-busy', 'true');
    try {
      // Another tab may have signed in as somebody else, for whom nobody has decided here.
      if ((await readUser()).id !== user.id) return reopen();
      const address = await withProof(() => decide(answer));
      leave(address, { name: client.name, isLoopback, decision: answer.decision });
      return;
    } catch (error) {
      if (isForOthers(error)) return reopen();
      showRefusal(error);
    }
    isSending = false;
    button.removeAttribute('aria-busy');
  };
  const pressAllow = (): void => {
    if (!isPresent || isSending) return;
    const answer = readAnswer(question);
    if (answer) void send(allow, answer);
  };

  watchPresence((isSeen) => {
    isPresent = isSeen;
    allow.setAttribute('aria-disabled', String(!isSeen));
  });
  allow.addEventListener('click', pressAllow);
  deny.addEventListener('click', () => {
    showFailure();
    if (!isSending) void send(deny, { decision: 'deny' });
  });
  get('#consent').addEventListener('submit', (event) => event.preventDefault());
  get('#switch').addEventListener('click', async () => {
    try {
      await post('/api/auth/logout', {});
    } catch (error) {
      // The session has ended already.
      if (!isForOthers(error)) return showFailure(texts.notSwitched);
    }
    return reopen();
  });
};

const ask = (question: Question, user: User): void => {
  showQuestion(question, user);
  handleButtons(question, user);
};

/** Sends back who has allowed all of it before, or asks after all if that fails. */
const goOn = async (question: Question, user: User): Promise<void> => {
  const { client, redirectHost, isLoopback } = question;
  showContinuing(client.name, redirectHost);
  try {
    await whenVisible();
    const address = await decide({ decision: 'allow' });
    leave(address, { name: client.name, isLoopback, decision: 'allow', isReplaced: true });
  } catch (error) {
    ask(question, user);
    // What must be proven is asked for once it is allowed.
    if (!isUnproven(error)) showRefusal(error);
  }
};

const start = async (): Promise<void> => {
  showView('wait', document.title.split(' · ')[0] ?? '');
  try {
    const [user, asked] = await Promise.all([readUser(), readRequest()]);
    if (asked.outcome === 'return') showReturn(asked.location);
    else if (asked.isKnown) await goOn(asked, user);
    else ask(asked, user);
  } catch (error) {
    if (isForOthers(error)) reopen();
    else showError(error);
  }
};

// A page that the browser kept is as it was when it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) reopen();
});
void start();
