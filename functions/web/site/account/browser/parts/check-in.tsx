import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { listWeeks } from '../../check-in-weeks.ts';
import { Section } from './section.tsx';
import { history } from './state.ts';

type History = Data<'GET /api/checkin'>;

const language = dateLanguage.read();

/** Days are those of the service’s time zone, as dates. */
const dates = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(day));
};
const formatDate = dates({ dateStyle: 'full' });
const formatNumberOfDay = dates({ day: 'numeric' });
const formatFirst = dates({ day: 'numeric', month: 'short' });
const formatWeekday = dates({ weekday: 'short' });

const getToday = (): string => {
  const zone = document.getElementById('account')?.dataset['dayZone'] ?? 'UTC';
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format();
};

/** From Monday, 1, to Sunday, 7. */
const getFirstWeekday = (): number => {
  const locale = new Intl.Locale(language ?? navigator.language) as Intl.Locale & {
    getWeekInfo?(): { readonly firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? 1;
};

const Days = ({ state }: { readonly state: History }) => {
  const points = new Map(state.history.map((award) => [award.day, award.points]));
  const today = getToday();
  const weeks = listWeeks(today, getFirstWeekday());
  const isFirst = (day: string) => day.endsWith('-01') || day === weeks.first;
  return (
    <table class="days">
      <caption class="vh">{texts.lastDays}</caption>
      <thead>
        <tr>
          {weeks.rows[0]?.map((day) => (
            <th key={day} scope="col">
              {formatWeekday(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.rows.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              if (day < weeks.first || day > today) return <td key={day} />;
              const earned = points.get(day);
              return (
                <td key={day} class={earned === undefined ? undefined : 'on'}>
                  <time
                    dateTime={day}
                    title={formatDate(day)}
                    aria-current={day === today ? 'date' : undefined}
                  >
                    {isFirst(day) ? formatFirst(day) : formatNumberOfDay(day)}
                  </time>
                  {earned !== undefined && <b>{texts.earned(formatNumber(earned))}</b>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Figures = ({ state }: { readonly state: History }) => (
  <dl class="figures">
    <div>
      <dt>{texts.streak}</dt>
      <dd>{texts.dayCount(state.streak)}</dd>
    </div>
    <div>
      <dt>{texts.points}</dt>
      <dd>{formatNumber(state.totalPoints)}</dd>
    </div>
    <div>
      <dt>{texts.next}</dt>
      <dd>{state.checkedIn ? formatTime(state.nextCheckinAt) : texts.now}</dd>
    </div>
  </dl>
);

/** The streak, the points and the check-ins of the last 30 days. */
export const CheckIn = () => {
  const isBusy = useSignal(false);
  const checkedIn = history.data.value?.checkedIn;
  // The button of the sidebar, which checks in.
  const button = document.getElementById('check-in');
  useEffect(() => {
    const update = () => void history.load();
    const observer = new MutationObserver(() => {
      isBusy.value = button?.getAttribute('aria-busy') === 'true';
    });
    if (button) observer.observe(button, { attributeFilter: ['aria-busy'] });
    button?.addEventListener('change', update);
    return () => {
      observer.disconnect();
      button?.removeEventListener('change', update);
    };
  }, []);
  return (
    <>
      <Section
        title={texts.tabs['check-in']}
        about={texts.checkInAbout}
        action={
          <Button
            kind="primary"
            size="sm"
            isBusy={isBusy.value}
            disabled={checkedIn !== false}
            onClick={() => button?.click()}
          >
            {checkedIn ? texts.checkedIn : texts.checkIn}
          </Button>
        }
      >
        <Loaded source={history} lines={1}>
          {(state) => <Figures state={state} />}
        </Loaded>
      </Section>
      {history.data.value && (
        <Section title={texts.lastDays}>
          <Days state={history.data.value} />
        </Section>
      )}
    </>
  );
};
