import '../../../../browser/record-page.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { EditForm } from '../../../../browser/components/edit-form.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Failure, Notice } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm, type Form } from '../../../../browser/data/form.ts';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { Conflict, findChanges } from '../../../../browser/record/conflict.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { may } from '../../../../browser/shell/session.ts';
import { leave } from '../../../../browser/shell/unsaved.ts';
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
import { changed, getName, list, loadTotals, type Sale, showSale, url } from './state.ts';

const closeDrawer = () => url.close({ open: undefined });

const Editor = ({ sale: first }: { readonly sale: Sale }) => {
  const sale = useSignal(first);
  /** The version that someone else saved meanwhile. */
  const theirs = useSignal<Sale | undefined>(undefined);
  const form: Form<SaleValues> = useMemo(
    () =>
      createForm<SaleValues>({
        initial: toValues(first),
        rules: saleRules(first.currency, true),
        send: async (values) => {
          const { id, version } = sale.value;
          try {
            const saved = await api.call('PUT /api/sales/{id}', {
              params: { id },
              body: toBody(values, findChanges(values, toValues(sale.value))),
              ifMatch: version,
            });
            show(saved);
            loadTotals();
            toast({ text: texts.saved });
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            theirs.value = (await error.readCurrent<Sale>())?.data;
            if (!theirs.value) throw error;
          }
        },
      }),
    [],
  );
  const show = (next: Sale) => {
    sale.value = next;
    form.reset(toValues(next));
    showSale(next);
  };
  // A change from the list is shown here, too, unless something is being written.
  useEffect(() => {
    if (first.version === sale.value.version || form.isChanged.value) return;
    sale.value = first;
    form.reset(toValues(first));
  }, [first.version]);
  const mayUpdate = may('sales:update');
  const { currency, externalId, refundedAt } = sale.value;
  const keepMine = () => {
    if (!theirs.value) return;
    const mine = findChanges(form.values.value, toValues(sale.value));
    show(theirs.value);
    form.values.value = { ...form.values.value, ...mine };
    theirs.value = undefined;
    document.querySelector<HTMLFormElement>('#sale')?.requestSubmit();
  };
  const keepTheirs = () => {
    if (!theirs.value) return;
    show(theirs.value);
    loadTotals();
    theirs.value = undefined;
  };
  const actions = listActions(sale.value).slice(1);
  return (
    <Drawer
      title={mayUpdate ? texts.editSale : texts.viewSale}
      onClose={closeDrawer}
      footer={
        <>
          {mayUpdate && (
            <Button
              kind="primary"
              type="submit"
              form="sale"
              isBusy={form.isBusy.value}
              disabled={!form.isChanged.value}
            >
              {texts.save}
            </Button>
          )}
          <Button kind="ghost" onClick={() => leave(closeDrawer)}>
            {texts.cancel}
          </Button>
          {actions.length > 0 && (
            <span class="end">
              <Menu label={texts.viewSale} items={actions} isLarge />
            </span>
          )}
        </>
      }
    >
      <p class="about">
        <b dir="auto">{getName(sale.value)}</b>
        <span class="small sub blk">{texts.sold(formatSold(sale.value))}</span>
      </p>
      {refundedAt !== null && (
        <Notice kind="warn">{texts.refundedAt(formatTime(refundedAt))}</Notice>
      )}
      {theirs.value && (
        <Conflict
          text={texts.conflict}
          labels={texts.fields}
          mine={findChanges(form.values.value, toValues(sale.value))}
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
