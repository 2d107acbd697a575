import { useMemo } from 'preact/hooks';
import { mapTextFields } from '../../../../../api/sales/text-fields.ts';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { TextField } from '../../../../browser/components/field.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm, type Form } from '../../../../browser/data/form.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { maxLengths } from '../../sale-input.ts';
import { salesTexts as texts } from '../../texts.ts';
import {
  FormFailure,
  ruleOf,
  SaleFields,
  type SaleValues,
  saleRules,
  toBody,
} from './sale-form.tsx';
import { currency, reload, url } from './state.ts';

interface NewSaleValues extends SaleValues {
  readonly externalId: string;
}

const initial: NewSaleValues = {
  amount: '',
  cost: '',
  ...mapTextFields(() => ''),
  soldAt: '',
  time: '',
  externalId: '',
};

const closeDrawer = () => url.close({ open: undefined });

/** The form that records a sale. */
export const NewSale = () => {
  const form = useMemo(() => {
    // A lost response may be of a recorded sale: what is sent again has the same key, what is changed another.
    let key = crypto.randomUUID();
    let sent = '';
    return createForm<NewSaleValues>({
      initial,
      rules: { ...saleRules(currency), externalId: ruleOf('externalId', currency) },
      send: async ({ externalId, ...values }) => {
        const body = {
          ...toBody(values),
          amount: toBody(values).amount ?? '',
          ...(externalId.trim() !== '' && { externalId: externalId.trim() }),
        };
        const text = JSON.stringify(body);
        if (sent !== '' && text !== sent) key = crypto.randomUUID();
        sent = text;
        const { headers } = await api.send('POST /api/sales', { body, idempotencyKey: key });
        const isRepeat = body.externalId !== undefined && headers.get('idempotency-replayed');
        form.reset(initial);
        toast({ text: isRepeat ? texts.alreadyRecorded : texts.recorded });
        closeDrawer();
        await reload();
      },
    });
  }, []);
  return (
    <Drawer
      isNew
      title={texts.newSale}
      onClose={closeDrawer}
      footer={<FormFooter id="new" form={form} submit={texts.record} onClose={closeDrawer} />}
    >
      <EditForm id="new" form={form} of={texts.theNewSale}>
        {/* It has all fields of a sale, and the external id. */}
        <SaleFields
          form={form as unknown as Form<SaleValues>}
          currency={currency}
          soldOnHint={texts.soldOnHint}
        />
        <TextField
          form={form}
          name="externalId"
          label={texts.fields.externalId}
          hint={texts.externalIdHint}
          maxLength={maxLengths.externalId}
          autocomplete="off"
          isCode
        />
        <FormFailure form={form as unknown as Form<object>} />
      </EditForm>
    </Drawer>
  );
};
