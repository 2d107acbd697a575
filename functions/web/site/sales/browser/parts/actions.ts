import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { salesTexts as texts } from '../../texts.ts';
import { type Filter, filterBy } from '../../view.ts';
import { type Sale, url } from './state.ts';

/** Asks, and records the refund of a sale. */
const refund = async (sale: Sale): Promise<void> => (await import('./changes.tsx')).refund(sale);

/** Asks, and deletes sales. */
export const remove = async (sales: readonly Sale[]): Promise<void> =>
  (await import('./changes.tsx')).remove(sales);

/** Shows only the sales that match. */
const show = (filter: Partial<Filter>) =>
  url.change({ ...filterBy(filter), page: 1, open: undefined }, 'push');

/** Lists what can be done with a sale. */
export const listActions = (sale: Sale): readonly MenuItem[] => {
  const { id, customer, category, refundedAt } = sale;
  const items: (MenuItem | false)[] = [
    {
      label: may('sales:update') ? texts.edit : texts.open,
      icon: may('sales:update') ? 'pen' : 'eye',
      run: () => url.change({ open: id }, 'push'),
    },
    customer !== null && {
      label: texts.ofCustomer,
      icon: 'user',
      startsGroup: true,
      run: () => show({ customer }),
    },
    category !== null && {
      label: texts.ofCategory,
      icon: 'folder',
      startsGroup: customer === null,
      run: () => show({ category }),
    },
    may('sales:update') &&
      refundedAt === null && {
        label: texts.refund,
        icon: 'undo',
        startsGroup: true,
        run: () => refund(sale),
      },
    may('sales:delete') && {
      label: texts.delete,
      icon: 'trash',
      isBad: true,
      run: () => remove([sale]),
    },
  ];
  return items.filter((item) => item !== false);
};
