import {
  nthOf,
  type Ordinal,
  ordinals,
  type Recurrence,
  type Weekday,
  weekdays,
} from '../../rule/rule.ts';
import { nameWeekday } from '../../rule/sentence.ts';
import { ruleTexts as texts } from '../../rule/texts.ts';
import { language } from '../parts/state.ts';
import { Choice } from './choice.tsx';

interface MonthDayProps {
  readonly recurrence: Recurrence;
  /** The date of the first event. */
  readonly start: string;
  readonly change: (next: Partial<Recurrence>) => void;
}

const days = Array.from({ length: 31 }, (_, at) => String(at + 1));

const dayOptions: readonly (readonly [string, string])[] = [
  ...days.map((day) => [day, texts.day(day)] as const),
  ['-1', texts.lastDay],
];

/** Which day of a month: a date, or a weekday such as the second Tuesday. */
export const MonthDay = ({ recurrence, start, change }: MonthDayProps) => {
  const { nth, monthDay = Number(start.slice(8)) } = recurrence;
  const chooseWay = (way: string) =>
    way === 'weekday'
      ? change({ nth: nthOf(start), monthDay: undefined })
      : change({ nth: undefined, monthDay: Number(start.slice(8)) });
  return (
    <>
      <Choice
        label={texts.on}
        value={nth ? 'weekday' : 'date'}
        options={[
          ['date', texts.byDate],
          ['weekday', texts.byWeekday],
        ]}
        onChange={chooseWay}
      />
      {nth ? (
        <div class="two">
          <Choice
            label={texts.ordinal}
            value={String(nth.ordinal)}
            options={ordinals.map((one) => [String(one), texts.ordinals[one]] as const)}
            onChange={(value) => change({ nth: { ...nth, ordinal: Number(value) as Ordinal } })}
          />
          <Choice
            label={texts.weekday}
            value={nth.weekday}
            options={weekdays.map((day) => [day, nameWeekday(day, language)] as const)}
            onChange={(value) => change({ nth: { ...nth, weekday: value as Weekday } })}
          />
        </div>
      ) : (
        <Choice
          label={texts.monthDay}
          value={String(monthDay)}
          options={dayOptions}
          onChange={(value) => change({ monthDay: Number(value) })}
        />
      )}
    </>
  );
};
