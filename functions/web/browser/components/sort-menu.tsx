import { Menu } from './menu.tsx';
import { componentTexts as texts } from './texts.ts';

const { orders } = texts;

interface SortMenuProps<Sort> {
  /** The orders that there are now. */
  readonly sorts: readonly Sort[];
  readonly value: Sort;
  readonly onChange: (sort: Sort) => unknown;
}

/** The order of a list in words, with a menu of the others. For phones, where the headings of the table aren’t shown. */
export const SortMenu = <Sort extends keyof typeof orders>(props: SortMenuProps<Sort>) => {
  const { sorts, value, onChange } = props;
  return (
    <Menu
      label={texts.sortedBy(orders[value])}
      icon="sort"
      text={orders[value]}
      class="order"
      items={sorts.map((sort) => ({
        label: orders[sort],
        icon: 'check',
        isChosen: sort === value,
        run: () => onChange(sort),
      }))}
    />
  );
};
