import '../../../../browser/record-page.ts';
import { useEffect, useMemo } from 'preact/hooks';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Failure, Notice } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { closeForm } from '../../../../browser/record/close-form.ts';
import { Conflict } from '../../../../browser/record/conflict.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
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
import { changed, getName, list, loadTotals, type Sale, showSale, url } from './state.ts';

const closeDrawer = () => url.close({ open: undefined });

/** Shows a sale as it is now, in the list and in the totals. */
const show = (sale: Sale) => {
  showSale(sale);
  loadTotals();
};

const Editor = ({ sale: current }: { readonly sale: Sale }) => {
  const {
    record: sale,
    theirs,
    form,
    findMine,
    keepMine,
    keepTheirs,
  } = useRecordForm<Sale, SaleValues>({
    id: 'sale',
    current,
    rules: saleRules(current.currency),
    toValues,
    save: async ({ id, version }, changes) => {
      const saved = await api.call('PUT /api/sales/{id}', {
        params: { id },
        body: toBody(changes),
        ifMatch: version,
      });
      toast({ text: texts.saved });
      return saved;
    },
    show,
  });
  const mayUpdate = may('sales:update');
  const { currency, externalId, refundedAt, soldAt } = sale.value;
  const close = () => closeForm(form, texts.thisSale, closeDrawer);
  const actions = listActions(sale.value).slice(1);
  return (
    <Drawer
      title={mayUpdate ? texts.editSale : texts.viewSale}
      onClose={close}
      footer={
        <FormFooter id="sale" form={form} submit={mayUpdate && texts.save} isEdit onCancel={close}>
          {actions.length > 0 && (
            <span class="end">
              <Menu label={texts.viewSale} items={actions} isLarge />
            </span>
          )}
        </FormFooter>
      }
    >
      <p class="about">
        <b dir="auto">{getName(sale.value)}</b>
        <span class="small sub blk">{texts.sold(formatTime(soldAt))}</span>
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
      <form id="sale" class="mt" noValidate autocomplete="off" onSubmit={form.submit}>
        <SaleFields form={form} currency={currency} isDisabled={!mayUpdate} />
        {externalId !== null && (
          <p class="field">
            <span class="label">{texts.fields.externalId}</span>
            <span class="mono id">{externalId}</span>
          </p>
        )}
        <FormFailure form={form as unknown as Form<object>} />
      </form>
    </Drawer>
  );
};

/** Shows a sale beside the list, to change it. */
export const SaleDrawer = ({ id }: { readonly id: number }) => {
  const listed = list.items.value?.find((sale) => sale.id === id);
  const source = useMemo(
    () => createSource<Sale>(() => api.call('GET /api/sales/{id}', { params: { id } })),
    [id],
  );
  useEffect(() => {
    if (!listed) void source.load();
  }, []);
  const [sale] = [listed, source.data.value, changed.value]
    .filter((one) => one?.id === id)
    .toSorted((a, b) => (b?.version ?? 0) - (a?.version ?? 0));
  if (sale) return <Editor sale={sale} />;
  const failure = source.failure.value;
  return (
    <Drawer title={texts.viewSale} onClose={closeDrawer}>
      {failure ? <Failure error={failure} again={() => source.load()} /> : <Skeleton lines={6} />}
    </Drawer>
  );
};
