import { may, signedIn } from '../../../../browser/shell/session.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { dateIn, formatDue } from '../../when.ts';
import { FirstSteps } from './first-steps.tsx';
import { RecentShares } from './recent-shares.tsx';
import { own } from './sources.ts';
import { Tasks } from './tasks.tsx';
import { OwnTiles } from './tiles.tsx';
import { Today, zone } from './today.tsx';

const getGreeting = (hour: number): string => {
  if (hour >= 4 && hour < 12) return texts.greetings.morning;
  return hour >= 12 && hour < 18 ? texts.greetings.afternoon : texts.greetings.evening;
};

/** Says what is due and unread; nothing before that is known. */
const describeDay = (): string => {
  const tasks = own.tasks.data.value;
  if (tasks === undefined) return '';
  const now = new Date();
  const today = dateIn(now, zone);
  const all = tasks.map(({ dueDate }) => formatDue(dueDate, now, zone));
  const overdue = all.filter(({ isOver }) => isOver).length;
  const due = all.filter(({ day, isOver }) => day === today && !isOver).length;
  const unread = may('messages:view') ? (signedIn?.counts.messages ?? 0) : 0;
  const parts = [
    ...(overdue > 0 ? [texts.overdueCount(overdue)] : []),
    ...(due > 0 ? [texts.dueToday(due)] : []),
    ...(unread > 0 ? [texts.unreadCount(unread)] : []),
  ];
  return parts.length > 0 ? texts.sentence(parts) : texts.nothingDue;
};

const Hello = () => {
  const [firstName = ''] = signedIn?.user.name.trim().split(/\s+/) ?? [];
  return (
    <div class="hello">
      <div>
        <h2 dir="auto">{texts.greet(getGreeting(new Date().getHours()), firstName)}</h2>
        <p>{describeDay()}&nbsp;</p>
      </div>
    </div>
  );
};

const ZoneNote = () => {
  const own = signedIn?.user.timezone;
  return (
    <p class="tiny mute zone">
      {own ? texts.zone(own) : texts.noZone} {!own && <a href="/account">{texts.setZone}</a>}
    </p>
  );
};

/** What everybody sees: the own shares, tasks and events. */
export const Mine = () => (
  <>
    <Hello />
    <FirstSteps />
    <OwnTiles />
    <div class="grid">
      <RecentShares />
      <div class="stack">
        <Today />
        <Tasks />
        <ZoneNote />
      </div>
    </div>
  </>
);
