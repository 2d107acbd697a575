import { ApiError } from '../../../../../browser/client/api-error.ts';
import { createForm } from '../../../../../browser/data/form.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { url } from '../state.ts';
import { showSecret, type Webhook, webhooks } from './state.ts';

/** The fields of a webhook. */
export interface WebhookValues {
  readonly url: string;
  readonly label: string;
  /** Types, sorted; `*` for all of the user's own. */
  readonly events: readonly string[];
  readonly format: Webhook['format'];
}

const initial: WebhookValues = { url: '', label: '', events: [], format: 'json' };

/** Returns what a form shows of a webhook. */
export const toValues = ({ url: address, label, events, format }: Webhook): WebhookValues => ({
  url: address,
  label: label ?? '',
  events: events.toSorted(),
  format,
});

/** Returns what a request has of changed fields. */
export const toBody = <Values extends Partial<WebhookValues>>({
  label,
  events,
  ...rest
}: Values) => ({
  ...rest,
  ...(label !== undefined && { label: label.trim() === '' ? null : label.trim() }),
  ...(events && { events: [...events] }),
});

/** The rules of the fields. */
export const webhookRules = {
  url: (value: string) => (/^https:\/\/./i.test(value.trim()) ? undefined : texts.urlMissing),
  events: (value: readonly string[]) => (value.length === 0 ? texts.eventsMissing : undefined),
};

/**
 * Sends an address. That it is none of the public internet is said as the service says it, beside its field.
 * @throws what the request throws
 */
export const withAddressError = async <Result>(send: () => Promise<Result>): Promise<Result> => {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.message !== texts.notPublic) throw error;
    const details = [{ field: 'url', message: error.message }];
    throw new ApiError(error.status, error.message, { code: error.code, details });
  }
};

/** Creates the form of a new webhook, whose secret it shows. */
export const createWebhookForm = () => {
  const form = createForm<WebhookValues>({
    initial,
    rules: webhookRules,
    send: async (values) => {
      const { secret, ...created } = await withAddressError(() =>
        api.call('POST /api/webhooks', {
          body: { ...toBody(values), events: [...values.events], active: true },
        }),
      );
      webhooks.data.value = [created, ...(webhooks.data.value ?? [])];
      form.discard();
      showSecret({ id: created.id, secret, isRenewed: false });
      url.close({ isCreating: false });
    },
  });
  return form;
};
