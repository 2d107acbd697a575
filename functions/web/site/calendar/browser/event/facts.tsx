import type { ComponentChildren } from 'preact';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import type { IconName } from '../../../../layout/icons.ts';
import { describeRule } from '../../rule/sentence.ts';
import { ruleTexts } from '../../rule/texts.ts';
import { toLocal, writeDate } from '../../time/local.ts';
import { language } from '../parts/state.ts';
import type { CalendarEvent } from './record.ts';
import { eventTexts as texts } from './texts.ts';
import { describeReminder, describeTimes } from './times.ts';

interface FactProps {
  readonly icon: IconName;
  readonly children: ComponentChildren;
}

const Fact = ({ icon, children }: FactProps) => (
  <li>
    <Icon name={icon} />
    <div>{children}</div>
  </li>
);

const badges = { pending: undefined, accepted: 'ok', tentative: 'warn', declined: 'bad' } as const;

const People = ({ event }: { readonly event: CalendarEvent }) => {
  const { attendees, owner: other } = event;
  const owner = other ?? signedIn?.user.name ?? '';
  const count = (answer: (typeof attendees)[number]['status']) =>
    attendees.filter(({ status }) => status === answer).length;
  const [going, maybe] = [count('accepted'), count('tentative')];
  const answers = [
    going > 0 && texts.going(formatNumber(going)),
    maybe > 0 && texts.maybe(formatNumber(maybe)),
  ].filter(Boolean);
  const all = attendees.length + 1;
  return (
    <>
      <p>
        {texts.people(all, formatNumber(all))}
        {answers.length > 0 && <span class="sub small"> · {answers.join(', ')}</span>}
      </p>
      <ul class="guests">
        <li class="row">
          <Avatar name={owner} size="s" />
          <span class="grow small cut" dir="auto">
            {owner}
          </span>
          <Badge kind="ok">{texts.organizer}</Badge>
        </li>
        {attendees.map(({ id, name, status }) => (
          <li class="row" key={id}>
            <Avatar name={name} size="s" />
            <span class="grow small cut" dir="auto">
              {name}
            </span>
            <Badge kind={badges[status]}>{texts.answers[status]}</Badge>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Returns the date of an event where it takes place. */
const dateOf = ({ start, timezone }: CalendarEvent): string => writeDate(toLocal(start, timezone));

const Repeats = ({ event }: { readonly event: CalendarEvent }) => {
  const { rrule, timezone: zone } = event;
  if (rrule === null) return null;
  const sentence = describeRule(rrule, { start: dateOf(event), zone, language });
  return (
    <Fact icon="again">
      <p>{sentence ?? ruleTexts.own}</p>
      {sentence === undefined && <p class="sub mono rule">{rrule}</p>}
    </Fact>
  );
};

interface FactsProps {
  readonly event: CalendarEvent;
  /** Whether the times are those of the first of several events. */
  readonly isFirst: boolean;
}

/** What there is to know about an event. */
export const Facts = ({ event, isFirst }: FactsProps) => {
  const { title, type, status, priority, color, location, reminders, description } = event;
  const { day, time, elsewhere } = describeTimes(event);
  return (
    <>
      <h3 class="big" dir="auto">
        {color !== null && <span class="swatch" style={{ background: color }} aria-hidden="true" />}
        {title}
      </h3>
      <ul class="facts" aria-label={texts.facts}>
        <Fact icon="clock">
          <p>
            {day}
            {isFirst && <span class="sub small"> · {texts.first}</span>}
          </p>
          <p class="sub small">{time}</p>
          {elsewhere !== undefined && <p class="sub small">{elsewhere}</p>}
        </Fact>
        {type === 'task' && (
          <Fact icon="check">
            <p>
              {texts.statuses[status]}
              <span class="sub small"> · {texts.priorityIs[priority]}</span>
            </p>
          </Fact>
        )}
        <Repeats event={event} />
        {location !== null && (
          <Fact icon="pin">
            <p dir="auto">{location}</p>
          </Fact>
        )}
        {reminders.length > 0 && (
          <Fact icon="bell">
            <p>{formatList(reminders.map(describeReminder))}</p>
          </Fact>
        )}
        {event.attendees.length > 0 && (
          <Fact icon="users">
            <People event={event} />
          </Fact>
        )}
      </ul>
      {description !== null && (
        <p class="sub mt about-event" dir="auto">
          {description}
        </p>
      )}
    </>
  );
};
