import { lazily } from '../../../../browser/components/lazily.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { salesTexts as texts } from '../../texts.ts';
import { type Filter, filterBy } from '../../view.ts';
import { List } from './list.tsx';
import { categories, loadCategories, url, view } from './state.ts';
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

const Category = () => (
  <>
    <input
      class="in category"
      list="sold-categories"
      aria-label={texts.category}
      placeholder={texts.category}
      maxLength={50}
      autocomplete="off"
      value={view.value.category}
      onFocus={loadCategories}
      onChange={({ currentTarget }) => show({ category: currentTarget.value })}
    />
    <datalist id="sold-categories">
      {categories.value.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
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
  </div>
);

const NewSale = lazily(async () => (await import('./new-sale.tsx')).NewSale);
const SaleDrawer = lazily(async () => (await import('./sale-drawer.tsx')).SaleDrawer);

const Open = () => {
  const { open } = view.value;
  if (open === 'new') return <NewSale />;
  return typeof open === 'number' ? <SaleDrawer key={open} id={open} /> : null;
};

/** All sales, what they sum up to, and the one that is open. */
export const Sales = () => {
  const { open } = view.value;
  return (
    <div class={open === undefined ? undefined : 'split'}>
      <div>
        <Filters />
        <Totals />
        <List />
      </div>
      <Open />
    </div>
  );
};
