import { textFields } from '../../../../../api/sales/text-fields.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { ExportMenu } from '../../../../browser/export/export-menu.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { importTexts, salesTexts as texts } from '../../texts.ts';
import { type Filter, filterBy, sorts, toQuery, type View } from '../../view.ts';
import { List } from './list.tsx';
import { categories, importing, list, loadCategories, url, view } from './state.ts';
import { Totals } from './totals.tsx';

const searchDelayMs = 350;

const show = (filter: Partial<Filter>) => url.change({ ...filterBy(filter), page: 1 });

const Period = () => {
  const { from, to } = view.value;
  return (
    <span class="row period">
      <label>
        {texts.from}
        <input
          class="in day"
          type="date"
          value={from}
          onChange={({ currentTarget: { value } }) =>
            show({ from: value, to: to < value ? '' : to })
          }
        />
      </label>
      <label>
        {texts.to}
        <input
          class="in day"
          type="date"
          value={to}
          min={from}
          onChange={({ currentTarget: { value } }) =>
            show({ to: value, from: value !== '' && value < from ? '' : from })
          }
        />
      </label>
    </span>
  );
};

/** Apart from the field, because rendering that again would undo what is typed. */
const Categories = () => (
  <datalist id="sold-categories">
    {categories.value.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);

const Category = () => (
  <>
    <input
      class="in category"
      list="sold-categories"
      aria-label={texts.category}
      placeholder={texts.category}
      maxLength={textFields.category}
      autocomplete="off"
      value={view.value.category}
      onFocus={loadCategories}
      onChange={({ currentTarget }) => show({ category: currentTarget.value })}
    />
    <Categories />
  </>
);

/** Each replaces the others: the API takes one at a time. */
const Filters = () => (
  <div class="tools">
    <SearchField
      label={texts.customerSearch}
      value={view.value.customer}
      delayMs={searchDelayMs}
      onInput={(customer) => show({ customer })}
    />
    <Category />
    <Period />
    <SortMenu
      sorts={sorts}
      value={view.value.sort}
      onChange={(sort) => url.change({ sort, page: 1 })}
    />
    {may('sales:export') && (
      <ExportMenu
        path="/api/sales/export"
        getQuery={() => ({ ...toQuery(view.value), sort: view.value.sort })}
        total={list.total.value}
      />
    )}
  </div>
);

/** An import goes on while the list is shown. */
const Running = () => {
  const running = importing.value;
  if (!running) return null;
  const action = (
    <Button size="sm" onClick={() => url.change({ open: 'import' }, 'push')}>
      {importTexts.show}
    </Button>
  );
  return (
    <div class="running">
      <Notice action={action}>
        {importTexts.running(formatNumber(running.done), formatNumber(running.count))}
      </Notice>
    </div>
  );
};

const ImportPage = lazily(async () => (await import('./import-page.tsx')).ImportPage);
const NewSale = lazily(async () => (await import('./new-sale.tsx')).NewSale);
const SaleDrawer = lazily(async () => (await import('./sale-drawer.tsx')).SaleDrawer);

const Open = () => {
  const { open } = view.value;
  if (open === 'new' && may('sales:create')) return <NewSale />;
  return typeof open === 'number' ? <SaleDrawer key={open} id={open} /> : null;
};

/** Returns whether a drawer is open, and the user may see it. */
const isSplit = (open: View['open']): boolean =>
  typeof open === 'number' || (open === 'new' && may('sales:create'));

/** All sales, what they sum up to, and the one that is open. */
export const Sales = () => {
  const { open } = view.value;
  if (open === 'import' && may('sales:create')) return <ImportPage />;
  return (
    <div class={isSplit(open) ? 'split' : undefined}>
      <div>
        <Running />
        <Filters />
        <Totals />
        <List />
      </div>
      <Open />
    </div>
  );
};
