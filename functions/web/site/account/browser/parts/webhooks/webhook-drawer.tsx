import { useEffect } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Drawer } from '../../../../../browser/components/drawer.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { Tabs } from '../../../../../browser/components/tabs.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { Conflict } from '../../../../../browser/record/conflict.tsx';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../../browser/record/form-footer.tsx';
import { useRecordForm } from '../../../../../browser/record/record-form.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { toUrl, webhookParts } from '../../../view.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { url } from '../state.ts';
import { listActions, renewSecret } from './actions.ts';
import { Deliveries } from './deliveries.tsx';
import { openDeliveries } from './delivery-list.ts';
import { WebhookFields } from './fields.tsx';
import { toBody, toValues, type WebhookValues, webhookRules, withAddressError } from './form.ts';
import { Secret } from './secret.tsx';
import {
  closeDrawer,
  getName,
  newSecret,
  shownWebhooks,
  showWebhook,
  type Webhook,
  webhooks,
} from './state.ts';

const labels: Readonly<Record<keyof WebhookValues, string>> = {
  url: texts.url,
  label: texts.label,
  events: texts.chooseEvents,
  format: texts.format,
};

const Parts = () => {
  const { part: shown = 'deliveries' } = url.view.value;
  const hrefOf = (part: (typeof webhookParts)[number]) => toUrl({ ...url.view.value, part });
  return (
    <Tabs
      label={texts.partsOf}
      tabs={webhookParts.map((part) => ({
        href: hrefOf(part),
        label: texts.parts[part],
        isCurrent: part === shown,
      }))}
      onOpen={(href) => url.change({ part: href === hrefOf('settings') ? 'settings' : undefined })}
    />
  );
};

const useWebhookForm = (current: Webhook) =>
  useRecordForm<Webhook, WebhookValues>({
    id: 'webhook',
    current,
    rules: webhookRules,
    toValues,
    save: async ({ id, version }, changes) => {
      const saved = await withAddressError(() =>
        api.call('PUT /api/webhooks/{id}', {
          params: { id },
          body: toBody(changes),
          ifMatch: version,
        }),
      );
      toast({ text: texts.saved });
      return saved;
    },
    show: showWebhook,
  });

const Editor = ({ webhook: current }: { readonly webhook: Webhook }) => {
  const { record, form, theirs, findMine, keepMine, keepTheirs } = useWebhookForm(current);
  useEffect(() => openDeliveries(current.id), []);
  const { part = 'deliveries' } = url.view.value;
  const name = getName(current);
  return (
    <Drawer
      title={name}
      onClose={closeDrawer}
      actions={
        <Menu
          label={texts.more}
          items={listActions(current).filter(({ label }) => label !== texts.edit)}
        />
      }
      tabs={<Parts />}
      footer={
        part === 'settings' && (
          <FormFooter id="webhook" form={form} submit={texts.save} isEdit onClose={closeDrawer} />
        )
      }
    >
      {newSecret.value?.id === current.id && <Secret />}
      {part === 'deliveries' && <Deliveries webhook={current} />}
      {/* The form keeps what was typed while another part is shown. */}
      <div hidden={part !== 'settings'}>
        {theirs.value && (
          <Conflict
            text={texts.conflict}
            labels={labels}
            mine={findMine()}
            theirs={toValues(theirs.value)}
            keepMine={keepMine}
            keepTheirs={keepTheirs}
          />
        )}
        <EditForm id="webhook" form={form} of={name}>
          <WebhookFields form={form} />
        </EditForm>
        <h3 class="small mt">{texts.secret}</h3>
        <p class="hint">{texts.secretAbout}</p>
        <p class="mt">
          <Button icon="key" onClick={() => renewSecret(record)}>
            {texts.renewSecret}
          </Button>
        </p>
      </div>
    </Drawer>
  );
};

/** Shows a webhook beside the list: what became of its calls, and its settings. */
export const WebhookDrawer = () => {
  const { open } = url.view.value;
  const webhook = shownWebhooks.value?.find(({ id }) => id === open);
  if (webhook) return <Editor key={webhook.id} webhook={webhook} />;
  return (
    <Drawer title={texts.title} onClose={closeDrawer}>
      <Loaded source={webhooks} lines={6}>
        {() => <Notice>{texts.gone}</Notice>}
      </Loaded>
    </Drawer>
  );
};
