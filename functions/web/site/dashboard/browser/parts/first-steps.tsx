import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../../../browser/components/icon.tsx';
import { formatList } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { hiddenFirstSteps } from '../../../../browser/shell/preferences.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import type { IconName } from '../../../../layout/icons.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { own } from './sources.ts';

type Name = keyof typeof texts.steps;

/** A thing to try. `isDone` returns `undefined` while it isn’t known. */
interface Step {
  readonly name: Name;
  readonly icon: IconName;
  readonly href: string;
  readonly isAllowed: boolean;
  readonly isDone: () => boolean | undefined;
}

const dayMs = 86_400_000;
/** For how many days an account is new. */
const newDays = 30;

const isNew = (): boolean =>
  signedIn !== undefined && Date.now() - Date.parse(signedIn.user.createdAt) < newDays * dayMs;

const hasEvent = async (): Promise<boolean> => {
  const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  const query = { start: at(-newDays), end: at(365) };
  return (await api.call('GET /api/calendar/events', { query })).items.length > 0;
};

const hasColleague = async (): Promise<boolean> => {
  const page = await api.call('GET /api/users', { query: { pageSize: 2 } });
  return 'items' in page && page.items.length > 1;
};

const hasMessage = async (): Promise<boolean> => {
  const page = await api.call('GET /api/messages/conversations', { query: { pageSize: 1 } });
  return page.items.length > 0;
};

/** Reads what no other part of the page knows. What can’t be read stays open. */
const useCheck = (isAsked: boolean, check: () => Promise<boolean>) => {
  const isDone = useSignal<boolean | undefined>(undefined);
  useEffect(() => {
    if (!isAsked) return;
    check().then(
      (result) => {
        isDone.value = result;
      },
      () => {
        isDone.value = false;
      },
    );
  }, []);
  return () => isDone.value;
};

const Steps = () => {
  const isGone = useSignal(hiddenFirstSteps.read() === signedIn?.user.id);
  const mayInvite = may('users:create') && may('users:view');
  const mayUpload = may('files:create') && may('files:view');
  const mayMessage = may('messages:create');
  const mayWrite = !mayInvite && mayMessage;
  const mayPlan = may('calendar:create') && may('calendar:view');
  const steps: readonly Step[] = [
    {
      name: 'share',
      icon: 'share',
      href: '/',
      isAllowed: true,
      isDone: () => own.sharesSummary.data.value && own.sharesSummary.data.value.total > 0,
    },
    {
      name: 'file',
      icon: 'upload',
      href: '/files?upload',
      isAllowed: mayUpload,
      isDone: () => own.usage.data.value && own.usage.data.value.files > 0,
    },
    {
      name: 'invite',
      icon: 'users',
      href: '/users?new=user',
      isAllowed: mayInvite,
      isDone: useCheck(mayInvite, hasColleague),
    },
    {
      name: 'message',
      icon: 'chat',
      href: '/messages?new',
      isAllowed: mayWrite,
      isDone: useCheck(mayWrite, hasMessage),
    },
    {
      name: 'event',
      icon: 'cal',
      href: '/calendar?new=event',
      isAllowed: mayPlan,
      isDone: useCheck(mayPlan, hasEvent),
    },
  ];
  // What the user has no permission for is said, instead of inviting to it.
  const lacking = [
    !mayUpload && texts.lackingSteps.file,
    !mayMessage && texts.lackingSteps.message,
    !mayPlan && texts.lackingSteps.event,
  ].filter((step) => step !== false);
  const shown = steps
    .filter(({ isAllowed }) => isAllowed)
    .map((step) => ({ ...step, done: step.isDone() }));
  // Nothing appears that is gone a moment later.
  const isKnown = shown.every(({ done }) => done !== undefined);
  if (isGone.value || !isKnown || shown.every(({ done }) => done)) return null;
  return (
    <section class="card first-steps" aria-labelledby="first-steps-title">
      <header>
        <h2 id="first-steps-title">{texts.firstSteps}</h2>
        <button
          type="button"
          class="btn ghost sm"
          onClick={() => {
            hiddenFirstSteps.write(signedIn?.user.id ?? 0);
            isGone.value = true;
          }}
        >
          {texts.hideSteps}
        </button>
      </header>
      <ul>
        {shown.map(({ name, icon, href, done }) => (
          <li key={name}>
            {done ? (
              <span class="done">
                <Icon name="check" />
                <span class="vh">{texts.stepDone(texts.steps[name])}</span>
                <span aria-hidden="true">{texts.steps[name]}</span>
              </span>
            ) : (
              <a class="btn" href={href}>
                <Icon name={icon} />
                {texts.steps[name]}
              </a>
            )}
          </li>
        ))}
      </ul>
      {lacking.length > 0 && <p class="small sub">{texts.askForAccess(formatList(lacking))}</p>}
    </section>
  );
};

/** What a new user can try, until all of it is done or it is hidden. */
export const FirstSteps = () => (isNew() ? <Steps /> : null);
