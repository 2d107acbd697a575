import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import {
  SelectField,
  SwitchField,
  TextArea,
  TextField,
} from '../../../../browser/components/field.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { followStart } from '../../rule/rule.ts';
import { describeRule } from '../../rule/sentence.ts';
import { ruleTexts } from '../../rule/texts.ts';
import { addDays, countDays } from '../../time/days.ts';
import { dayMs, writeLocal } from '../../time/local.ts';
import { language, zone as myZone } from '../parts/state.ts';
import { Colors } from './colors.tsx';
import { Guests } from './guests.tsx';
import { Reminders } from './reminders.tsx';
import { eventTexts, eventFormTexts as texts } from './texts.ts';
import { nameZone } from './times.ts';
import type { EventValues } from './values.ts';

const RuleEditor = lazily(async () => (await import('./rule-editor.tsx')).RuleEditor);

type EventForm = Form<EventValues>;

interface FieldsProps {
  readonly form: EventForm;
}

const toOptions = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

const toMs = (date: string, time: string): number => Date.parse(`${date}T${time}Z`);

/** Lets the end follow the start, so that the event stays as long as it is, and the days of its rule. */
const withEndThatFollows = (form: EventForm): EventForm => ({
  ...form,
  set: (name, value) => {
    const before = form.values.value;
    form.set(name, value);
    if (name !== 'start' && name !== 'startTime') return;
    const { start, startTime, end, endTime, isAllDay, rrule, timezone } = form.values.value;
    const [from, to] = [before.start, start];
    if (rrule !== '' && from !== '' && to !== '' && from !== to) {
      form.set('rrule', followStart(rrule, { from, to, zone: timezone }));
    }
    if (isAllDay) {
      if (start !== '' && before.start !== '' && end !== '') {
        form.set('end', addDays(end, countDays(before.start, start)));
      }
      return;
    }
    const moved = toMs(start, startTime) - toMs(before.start, before.startTime);
    const next = toMs(end, endTime) + moved;
    if (Number.isNaN(next) || Math.abs(moved) > 4_000 * 365 * dayMs) return;
    form.set('end', writeLocal(next).slice(0, 10));
    form.set('endTime', writeLocal(next).slice(11));
  },
});

/** When an event is. */
const Times = ({ form, isSeries }: FieldsProps & { readonly isSeries: boolean }) => {
  const timed = useMemo(() => withEndThatFollows(form), [form]);
  const { isAllDay } = form.values.value;
  const hint = isSeries ? { hint: texts.firstHint } : {};
  return (
    <>
      <div class={isAllDay ? 'field' : 'two times'}>
        <TextField form={timed} name="start" type="date" label={texts.fields.start} {...hint} />
        {!isAllDay && (
          <TextField form={timed} name="startTime" type="time" label={texts.fields.startTime} />
        )}
      </div>
      <div class={isAllDay ? 'field' : 'two times'}>
        <TextField form={form} name="end" type="date" label={texts.fields.end} />
        {!isAllDay && (
          <TextField form={form} name="endTime" type="time" label={texts.fields.endTime} />
        )}
      </div>
    </>
  );
};

const Zone = ({ form }: FieldsProps) => {
  const options = useMemo(() => {
    const own = [form.values.value.timezone, myZone];
    const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...own]);
    return [...zones].toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  }, []);
  const isOther = form.values.value.timezone !== myZone;
  return (
    <SelectField
      form={form}
      name="timezone"
      label={texts.fields.timezone}
      options={options}
      {...(isOther && { hint: texts.timezoneHint(nameZone(myZone)) })}
    />
  );
};

/** How an event repeats: a sentence, and the editor once it is asked for. */
const Repeats = ({ form }: FieldsProps) => {
  const isOpen = useSignal(false);
  const { rrule, start, timezone } = form.values.value;
  const sentence =
    rrule === ''
      ? ruleTexts.never
      : (describeRule(rrule, { start, zone: timezone, language }) ?? ruleTexts.own);
  const error = form.errors.value.rrule;
  return (
    <div class="field repeats">
      <span class="label" id="repeats-label">
        {texts.fields.rrule}
      </span>
      <p class="row">
        <span class="grow" role="status">
          {sentence}
        </span>
        <Button
          size="sm"
          aria-expanded={isOpen.value}
          aria-describedby="repeats-label"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? ruleTexts.done : rrule === '' ? ruleTexts.add : ruleTexts.change}
        </Button>
      </p>
      {isOpen.value && (
        <RuleEditor
          rule={rrule}
          start={start}
          zone={timezone}
          onChange={(next) => form.set('rrule', next)}
        />
      )}
      <p class="err" aria-live="polite">
        {error}
      </p>
    </div>
  );
};

/**
 * The title. It has the focus first and is checked at submit only: what is below would otherwise move away from the
 * pointer that presses it.
 */
const Title = ({ form }: FieldsProps) => (
  <TextField
    form={{ ...form, check: () => undefined }}
    name="title"
    label={texts.fields.title}
    maxLength={200}
    autocomplete="off"
  />
);

const Place = ({ form }: FieldsProps) => (
  <TextField
    form={form}
    name="location"
    label={texts.fields.location}
    maxLength={200}
    autocomplete="off"
  />
);

const Status = ({ form }: FieldsProps) => (
  <SelectField
    form={form}
    name="status"
    label={texts.fields.status}
    options={toOptions(eventTexts.statuses)}
  />
);

/** Why a form could not be sent, if no field is to blame. */
const FormFailure = ({ form }: FieldsProps) =>
  form.failure.value === undefined ? null : (
    <div class="mt">
      <Notice kind="bad">{form.failure.value}</Notice>
    </div>
  );

/** The fields that can differ for one occurrence. */
export const OccurrenceFields = ({ form }: FieldsProps) => (
  <>
    <Title form={form} />
    <Times form={form} isSeries={false} />
    <Place form={form} />
    {form.values.value.type === 'task' && <Status form={form} />}
    <p class="hint">{texts.onlyThis}</p>
    <FormFailure form={form} />
  </>
);

/** All fields of an event. */
export const EventFields = ({ form }: FieldsProps) => {
  const { type, isAllDay, rrule } = form.values.value;
  return (
    <>
      <Title form={form} />
      <SelectField
        form={form}
        name="type"
        label={texts.fields.type}
        options={toOptions(eventTexts.types)}
      />
      {type === 'task' && (
        <div class="two">
          <SelectField
            form={form}
            name="priority"
            label={texts.fields.priority}
            options={toOptions(eventTexts.priorities)}
          />
          <Status form={form} />
        </div>
      )}
      <div class="field">
        <SwitchField form={form} name="isAllDay" label={texts.fields.isAllDay} />
      </div>
      <Times form={form} isSeries={rrule !== ''} />
      {!isAllDay && <Zone form={form} />}
      <Repeats form={form} />
      <Place form={form} />
      <TextArea
        form={form}
        name="description"
        label={texts.fields.description}
        rows={4}
        maxLength={5_000}
      />
      <Guests form={form} />
      <Reminders form={form} />
      <Colors form={form} />
      <FormFailure form={form} />
    </>
  );
};
