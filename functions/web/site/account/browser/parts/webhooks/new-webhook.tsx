import { useMemo } from 'preact/hooks';
import { Drawer } from '../../../../../browser/components/drawer.tsx';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../../browser/record/form-footer.tsx';
import { accountTexts } from '../../../account-texts.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { WebhookFields } from './fields.tsx';
import { createWebhookForm } from './form.ts';
import { closeDrawer } from './state.ts';

/** The form of a new webhook. */
export const NewWebhook = () => {
  const form = useMemo(createWebhookForm, []);
  return (
    <Drawer
      isNew
      title={accountTexts.addWebhook}
      onClose={closeDrawer}
      footer={
        <FormFooter
          id="webhook"
          form={form}
          submit={accountTexts.addWebhook}
          onClose={closeDrawer}
        />
      }
    >
      <EditForm id="webhook" form={form} of={texts.theNewWebhook}>
        <WebhookFields form={form} />
      </EditForm>
    </Drawer>
  );
};
