import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { formatTime } from '../../../../browser/data/format.ts';
import { Conflict } from '../../../../browser/record/conflict.tsx';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { RecordDrawer } from '../../../../browser/record/record-drawer.tsx';
import { useRecordForm } from '../../../../browser/record/record-form.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may } from '../../../../browser/shell/session.ts';
import { salesTexts as texts } from '../../texts.ts';
import { listActions } from './actions.ts';
import {
  FormFailure,
  SaleFields,
  type SaleValues,
  saleRules,
  toBody,
  toValues,
} from './sale-form.tsx';
import { formatSold } from './sold-at.ts';
import { getName, loadTotals, records, type Sale, url } from './state.ts';

const closeDrawer = () => url.close({ open: undefined });

const Editor = ({ sale: current }: { readonly sale: Sale }) => {
  const {
    record: sale,
    form,
    theirs,
    findMine,
    keepMine,
    keepTheirs,
  } = useRecordForm<Sale, SaleValues>({
    id: 'sale',
    current,
    isOwn: records.isShown(current),
    rules: saleRules(current.currency, true),
    toValues,
    save: async ({ id, version }, changes, values) => {
      const saved = await api.call('PUT /api/sales/{id}', {
        params: { id },
        body: toBody(values, changes),
        ifMatch: version,
      });
      toast({ text: texts.saved });
      return saved;
    },
    show: (next) => {
      records.show(next);
      loadTotals();
    },
  });
  const mayUpdate = may('sales:update');
  const { currency, externalId, refundedAt } = sale;
  const actions = listActions(sale).slice(1);
  return (
    <Drawer
      title={mayUpdate ? texts.editSale : texts.viewSale}
      onClose={closeDrawer}
      footer={
        <FormFooter
          id="sale"
          form={form}
          submit={mayUpdate && texts.save}
          isEdit
          onClose={closeDrawer}
        >
          {actions.length > 0 && <Menu label={texts.viewSale} items={actions} isLarge />}
        </FormFooter>
      }
    >
      <p class="about">
        <b dir="auto">{getName(sale)}</b>
        <span class="small sub blk">{texts.sold(formatSold(sale))}</span>
      </p>
      {refundedAt !== null && (
        <Notice kind="warn">{texts.refundedAt(formatTime(refundedAt))}</Notice>
      )}
      {theirs.value && (
        <Conflict
          text={texts.conflict}
          labels={texts.fields}
          mine={findMine()}
          theirs={toValues(theirs.value)}
          keepMine={keepMine}
          keepTheirs={keepTheirs}
        />
      )}
      {!mayUpdate && <p class="hint mt0">{texts.readOnly}</p>}
      <EditForm id="sale" class="mt" form={form} of={texts.thisSale}>
        <SaleFields form={form} currency={currency} isDisabled={!mayUpdate} />
        {externalId !== null && (
          <p class="field">
            <span class="label">{texts.fields.externalId}</span>
            <span class="mono id">{externalId}</span>
          </p>
        )}
        <FormFailure form={form as unknown as Form<object>} />
      </EditForm>
    </Drawer>
  );
};

/** Shows a sale beside the list, to change it. */
export const SaleDrawer = ({ id }: { readonly id: number }) => (
  <RecordDrawer
    id={id}
    records={records}
    read={() => api.call('GET /api/sales/{id}', { params: { id } })}
    title={texts.viewSale}
    onClose={closeDrawer}
  >
    {(sale) => <Editor sale={sale} />}
  </RecordDrawer>
);
