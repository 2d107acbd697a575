import { useEffect } from 'preact/hooks';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import type { Form } from '../../../../../browser/data/form.ts';
import { useUniqueId } from '../../../../../browser/data/unique-id.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { allOwn, nameEvent } from './events.ts';
import type { WebhookValues } from './form.ts';
import { eventTypes } from './state.ts';

interface OptionProps {
  readonly type: string;
  readonly label: string;
  readonly about?: string;
  readonly form: Form<WebhookValues>;
  /** Whether “All events” has it. */
  readonly isIncluded?: boolean;
  readonly isInvalid?: boolean;
}

const Option = (props: OptionProps) => {
  const { type, label, about, form, isIncluded = false, isInvalid = false } = props;
  const { events } = form.values.value;
  const change = (isChosen: boolean) => {
    const others = events.filter((one) => one !== type);
    form.set('events', isChosen ? [...others, type].sort() : others);
  };
  return (
    <label class="opt">
      <input
        type="checkbox"
        checked={isIncluded || events.includes(type)}
        disabled={isIncluded}
        aria-invalid={isInvalid}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <span>
        {label}
        {about !== undefined && <span class="hint blk">{about}</span>}
      </span>
    </label>
  );
};

/** The names of the audit log, by the kinds of their subjects. */
const AuditEvents = ({ form }: { readonly form: Form<WebhookValues> }) => {
  const types = eventTypes.data.value?.filter(({ group }) => group !== 'own') ?? [];
  if (types.length === 0) return null;
  const { events } = form.values.value;
  const chosen = types.filter(({ type }) => events.includes(type)).length;
  return (
    <details class="fold">
      <summary class="small">
        {texts.auditEvents}
        {chosen > 0 && `, ${texts.chosen(chosen)}`}
      </summary>
      <p class="hint">{texts.auditAbout}</p>
      {types.map(({ type, description }) => (
        <Option key={type} type={type} label={description} form={form} />
      ))}
    </details>
  );
};

/** The choice of what a webhook is told. */
export const EventChoice = ({ form }: { readonly form: Form<WebhookValues> }) => {
  const id = useUniqueId();
  useEffect(() => {
    if (eventTypes.data.value === undefined) void eventTypes.load();
  }, []);
  const error = form.errors.value.events;
  const hasAll = form.values.value.events.includes(allOwn);
  return (
    <fieldset class="field events" aria-describedby={`${id}-error`}>
      <legend>{texts.chooseEvents}</legend>
      <p class="err" id={`${id}-error`} aria-live="polite">
        {error}
      </p>
      <Option
        type={allOwn}
        label={texts.allEvents}
        about={texts.allEventsAbout}
        form={form}
        isInvalid={error !== undefined}
      />
      <Loaded source={eventTypes} lines={6}>
        {(types) => (
          <>
            {types
              .filter(({ group }) => group === 'own')
              .map(({ type, description }) => (
                <Option
                  key={type}
                  type={type}
                  label={nameEvent(type)}
                  about={description}
                  form={form}
                  isIncluded={hasAll}
                />
              ))}
            <AuditEvents form={form} />
          </>
        )}
      </Loaded>
    </fieldset>
  );
};
