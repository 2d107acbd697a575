import { useSignal } from '@preact/signals';
import { Labeled } from '../../../../browser/components/field.tsx';
import {
  type Ending,
  type Frequency,
  frequencies,
  parseRule,
  type Recurrence,
  weekdayOf,
  weekdays,
  writeRule,
} from '../../rule/rule.ts';
import { nameWeekday } from '../../rule/sentence.ts';
import { ruleTexts as texts } from '../../rule/texts.ts';
import { addMonths } from '../../time/days.ts';
import { firstWeekday, language } from '../parts/state.ts';
import { Choice } from './choice.tsx';
import { MonthDay } from './month-day.tsx';

type Kind = Frequency | 'NONE' | 'CUSTOM';

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => unknown;
}

/** A number from 1 to 1,000. Others are not taken. */
const Count = ({ label, value, onChange }: CountProps) => (
  <Labeled label={label}>
    {(connections) => (
      <input
        class="in num"
        type="number"
        min={1}
        max={1_000}
        {...connections}
        value={value}
        onInput={({ currentTarget }) => {
          const next = currentTarget.valueAsNumber;
          if (Number.isInteger(next) && next >= 1 && next <= 1_000) onChange(next);
        }}
      />
    )}
  </Labeled>
);

interface PartProps {
  readonly recurrence: Recurrence;
  /** The date of the first event. */
  readonly start: string;
  readonly change: (next: Partial<Recurrence>) => void;
}

const Weekdays = ({ recurrence, start, change }: PartProps) => {
  const chosen = recurrence.weekdays.length > 0 ? recurrence.weekdays : [weekdayOf(start)];
  const shown = weekdays.map((_, at) => weekdays[(at + firstWeekday - 1) % 7] ?? 'MO');
  return (
    <fieldset class="field">
      <legend>{texts.on}</legend>
      <div class="weekdays">
        {shown.map((day) => (
          <button
            key={day}
            type="button"
            class="btn sm"
            aria-pressed={chosen.includes(day)}
            title={nameWeekday(day, language)}
            onClick={() => {
              const next = weekdays.filter((one) => chosen.includes(one) !== (one === day));
              if (next.length > 0) change({ weekdays: next });
            }}
          >
            {nameWeekday(day, language, 'short')}
          </button>
        ))}
      </div>
    </fieldset>
  );
};

const End = ({ recurrence: { ending }, start, change }: PartProps) => {
  const choose = (kind: string) => {
    const next: Readonly<Record<string, Ending>> = {
      until: { kind: 'until', date: addMonths(start, 3) },
      count: { kind: 'count', count: 10 },
    };
    change({ ending: next[kind] ?? { kind: 'never' } });
  };
  return (
    <div class="two">
      <Choice
        label={texts.ends}
        value={ending.kind}
        options={Object.entries(texts.endings)}
        onChange={choose}
      />
      {ending.kind === 'until' && (
        <Labeled label={texts.until}>
          {(connections) => (
            <input
              class="in"
              type="date"
              min={start}
              {...connections}
              value={ending.date}
              onChange={({ currentTarget: { value } }) =>
                value !== '' && change({ ending: { kind: 'until', date: value } })
              }
            />
          )}
        </Labeled>
      )}
      {ending.kind === 'count' && (
        <Count
          label={texts.count}
          value={ending.count}
          onChange={(count) => change({ ending: { kind: 'count', count } })}
        />
      )}
    </div>
  );
};

/** Returns a recurrence that begins with a date, and keeps what it can of another. */
const startAnew = (
  frequency: Frequency,
  start: string,
  before: Recurrence | undefined,
): Recurrence => ({
  frequency,
  interval: before?.interval ?? 1,
  weekdays: frequency === 'WEEKLY' ? [weekdayOf(start)] : [],
  ending: before?.ending ?? { kind: 'never' },
  ...(frequency === 'MONTHLY' && { monthDay: Number(start.slice(8)) }),
});

interface RuleEditorProps {
  /** Empty without one. */
  readonly rule: string;
  /** The date of the first event. */
  readonly start: string;
  readonly zone: string;
  readonly onChange: (rule: string) => void;
}

/** Edits how an event repeats: what most people use by choices, anything else as a rule. */
export const RuleEditor = ({ rule, start: given, zone, onChange }: RuleEditorProps) => {
  const start = given === '' ? new Date().toISOString().slice(0, 10) : given;
  const recurrence = parseRule(rule, zone);
  const isCustom = useSignal(rule !== '' && !recurrence);
  const kind: Kind = isCustom.value ? 'CUSTOM' : (recurrence?.frequency ?? 'NONE');
  const choose = (next: string) => {
    isCustom.value = next === 'CUSTOM';
    const frequency = frequencies.find((one) => one === next);
    if (frequency) onChange(writeRule(startAnew(frequency, start, recurrence)));
    else if (next === 'NONE') onChange('');
  };
  const change = (next: Partial<Recurrence>) =>
    recurrence && onChange(writeRule({ ...recurrence, ...next }));
  const parts = recurrence && !isCustom.value && { recurrence, start, change };
  return (
    <div class="rule-editor">
      <Choice
        label={texts.frequency}
        value={kind}
        options={[
          ['NONE', texts.none],
          ...Object.entries(texts.frequencies),
          ['CUSTOM', texts.custom],
        ]}
        onChange={choose}
      />
      {parts && (
        <>
          <Count
            label={texts.interval(texts.units[parts.recurrence.frequency])}
            value={parts.recurrence.interval}
            onChange={(interval) => change({ interval })}
          />
          {kind === 'WEEKLY' && <Weekdays {...parts} />}
          {kind === 'MONTHLY' && <MonthDay {...parts} />}
          <End {...parts} />
        </>
      )}
      {isCustom.value && (
        <Labeled label={texts.rule} hint={texts.ruleHint}>
          {(connections) => (
            <input
              class="in mono"
              {...connections}
              maxLength={510}
              autocapitalize="none"
              spellcheck={false}
              value={rule}
              onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
            />
          )}
        </Labeled>
      )}
    </div>
  );
};
