import { TextField } from '../../../../../browser/components/field.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import type { Form } from '../../../../../browser/data/form.ts';
import { useUniqueId } from '../../../../../browser/data/unique-id.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { EventChoice } from './event-choice.tsx';
import type { WebhookValues } from './form.ts';

const formats = ['json', 'text'] as const;

const Format = ({ form }: { readonly form: Form<WebhookValues> }) => {
  const name = useUniqueId();
  return (
    <fieldset class="field">
      <legend>{texts.format}</legend>
      <div class="scopes">
        {formats.map((format) => {
          const [label, about] = texts.formats[format];
          return (
            <label key={format}>
              <input
                type="radio"
                name={name}
                checked={form.values.value.format === format}
                onChange={() => form.set('format', format)}
              />
              {label}
              <small>{about}</small>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
};

/** The fields of a webhook. */
export const WebhookFields = ({ form }: { readonly form: Form<WebhookValues> }) => (
  <>
    <TextField
      form={form}
      name="url"
      label={texts.url}
      hint={texts.urlHint}
      autocomplete="off"
      maxLength={2_048}
      isCode
    />
    <TextField
      form={form}
      name="label"
      label={texts.label}
      hint={texts.labelHint}
      autocomplete="off"
      maxLength={60}
    />
    <EventChoice form={form} />
    <Format form={form} />
    {form.failure.value !== undefined && (
      <div class="mt">
        <Notice kind="bad">{form.failure.value}</Notice>
      </div>
    )}
  </>
);
