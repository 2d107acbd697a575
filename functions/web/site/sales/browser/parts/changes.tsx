import { ConflictError } from '../../../../browser/client/api-error.ts';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { findFocusedRow, focusRow } from '../../../../browser/data/rows.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { leaveGone } from '../../../../browser/shell/unsaved.ts';
import { salesTexts as texts } from '../../texts.ts';
import { getName, loadTotals, records, reload, type Sale, selection, url, view } from './state.ts';

/** Reads sales again after someone else’s change, and shows them as they are now; leaves out those that are gone. */
const readAgain = async (sales: readonly Sale[]): Promise<readonly Sale[]> => {
  await reload();
  const read = ({ id }: Sale) =>
    api.call('GET /api/sales/{id}', { params: { id } }).catch(() => undefined);
  const found = (await Promise.all(sales.map(read))).filter((sale) => sale !== undefined);
  for (const sale of found) records.show(sale);
  return found;
};

/** Records the refund of a sale, after a question. */
export const refund = async (sale: Sale): Promise<void> => {
  const question = {
    title: texts.refundTitle(getName(sale)),
    text: texts.refundText,
    action: texts.refund,
  };
  if (!(await confirm(question))) return;
  const { id, version } = sale;
  const idempotencyKey = crypto.randomUUID();
  const send = async () => {
    try {
      records.show(
        await api.call('POST /api/sales/{id}/refund', {
          params: { id },
          ifMatch: version,
          idempotencyKey,
        }),
      );
      loadTotals();
      toast({ text: texts.refundDone });
    } catch (error) {
      if (!(error instanceof ConflictError)) {
        showFailure((error as Error).message, send);
        return;
      }
      const [current] = await readAgain([sale]);
      showFailure(texts.changedMeanwhile, () => current && refund(current));
    }
  };
  await send();
};

const send = async (sales: readonly Sale[]): Promise<void> => {
  const row = Math.max(findFocusedRow(), 0);
  const { done, failed } = await runForEach(sales, ({ id, version }) =>
    api.call('DELETE /api/sales/{id}', { params: { id }, ifMatch: version }),
  );
  if (done.length > 0) {
    const ids = new Set(done.map(({ id }) => id));
    const { open } = view.value;
    if (typeof open === 'number' && ids.has(open)) leaveGone(() => url.close({ open: undefined }));
    selection.value = new Set([...selection.value].filter((id) => !ids.has(Number(id))));
    toast({
      text: done.length === 1 ? texts.deleted : texts.deletedSome(formatNumber(done.length)),
    });
    await reload();
    focusRow(row);
  }
  if (!failed[0]) return;
  const names = formatList(failed.map(({ item }) => getName(item)));
  const { error } = failed[0];
  const isConflict = error instanceof ConflictError;
  const items = failed.map(({ item }) => item);
  const current = isConflict ? await readAgain(items) : items;
  const reason = isConflict ? texts.changedMeanwhile : error.message;
  showFailure(texts.notDeleted(names, reason), () => send(current));
};

/** Deletes sales, after a question. */
export const remove = async (sales: readonly Sale[]): Promise<void> => {
  const [first] = sales;
  if (!first) return;
  const question =
    sales.length === 1
      ? { title: texts.deleteTitle(getName(first)), text: texts.deleteText }
      : { title: texts.deleteSomeTitle(formatNumber(sales.length)), text: texts.deleteSomeText };
  if (await confirm({ ...question, action: texts.delete })) await send(sales);
};
