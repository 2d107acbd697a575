import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { dateIn, formatHours } from '../../when.ts';
import { Nothing, Section } from './section.tsx';
import { own } from './sources.ts';

type Occurrence = Data<'GET /api/dashboard/calendar'>[number];

const minuteMs = 60_000;
/** An event that starts within this time is announced. */
const soonMs = 60 * minuteMs;

/** The user's time zone, which decides what is today. */
export const zone = signedIn?.user.timezone ?? 'UTC';

const rails = { meeting: '', task: 'd', reminder: 'c', holiday: 'd' } as const;

const getBadge = ({ start, end, allDay }: Occurrence, now: number): string | undefined => {
  if (allDay || Date.parse(end) <= now) return undefined;
  const wait = Date.parse(start) - now;
  if (wait <= 0) return texts.now;
  return wait <= soonMs ? texts.inMinutes(Math.ceil(wait / minuteMs)) : undefined;
};

const Row = ({ event, now }: { readonly event: Occurrence; readonly now: number }) => {
  const { title, type, location, attendees } = event;
  const { from, to } = formatHours(dateIn(new Date(now), zone), event, zone, dateLanguage.read());
  const badge = getBadge(event, now);
  const hours = to === undefined ? undefined : texts.until(to);
  const about = [hours, location, texts.types[type]].filter(Boolean).join(' · ');
  const color = rails[type];
  return (
    <li>
      <time dateTime={event.start}>{from ?? texts.allDay}</time>
      <span class={color ? `rail ${color}` : 'rail'} />
      <span class="grow">
        <span class="cut blk" dir="auto" title={title}>
          {title}
        </span>
        <span class="tiny mute cut blk">{about}</span>
      </span>
      {attendees.length > 1 && <span class="tiny mute num">{attendees.length}</span>}
      {badge && <span class="badge info">{badge}</span>}
    </li>
  );
};

/** The events of today in the user's time zone. */
export const Today = () => {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, minuteMs);
    return () => clearInterval(timer);
  }, [now]);
  const day = new Date(now.value).toLocaleDateString(dateLanguage.read(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: zone,
  });
  return (
    <Section
      id="today"
      title={texts.today}
      source={own.events}
      lines={3}
      beside={<span class="mute small">{day}</span>}
    >
      {(events) =>
        events.length === 0 ? (
          <Nothing>{texts.noEvents}</Nothing>
        ) : (
          <ul class="list agenda">
            {events.map((event) => (
              <Row
                key={`${event.id} ${event.occurrenceStart ?? ''}`}
                event={event}
                now={now.value}
              />
            ))}
          </ul>
        )
      }
    </Section>
  );
};
