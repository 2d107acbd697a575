import type { Signal } from '@preact/signals';
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { orderTexts } from '../data/order-texts.ts';
import { type Direction, type Order, reverse } from '../data/sort-order.ts';
import { describeKeys, type KeyRow } from '../shell/page-keys.ts';
import { mayAct } from '../shell/single-keys.ts';
import { Icon } from './icon.tsx';
import { Menu, type MenuItem } from './menu.tsx';
import { componentTexts as texts } from './texts.ts';

/** The key of a row. */
export type RowKey = string | number;

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Whether only screen readers get the title. */
  readonly hasHiddenTitle?: boolean;
  /** What phones show: the name and a line about it. One column has it. */
  readonly isMain?: boolean;
  /** The direction that it is sorted by at first; without it, it can’t be sorted by. */
  readonly sorts?: Direction;
  /** Of its cells. Phones also show what has the class `status`, with its first badge. */
  readonly class?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => RowKey;
  readonly getName: (row: Row) => string;
  readonly order?: Order | undefined;
  readonly onOrder?: (order: Order) => unknown;
  /** The keys of the selected rows; without it, rows can’t be selected. */
  readonly selection?: Signal<ReadonlySet<RowKey>>;
  /** Opens a row. */
  readonly onOpen?: (row: Row) => unknown;
  /** The key of the row that is open. */
  readonly openKey?: RowKey | undefined;
  /** Further attributes of a row, such as those for dragging. */
  readonly rowAttributes?: (row: Row) => HTMLAttributes<HTMLTableRowElement>;
  /** The actions of a row; none without an entry. */
  readonly actions?: (row: Row) => readonly MenuItem[];
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, input, label, [popover]') !== null;

const rowKeys: readonly KeyRow[] = [
  [texts.keys.next, ['J']],
  [texts.keys.previous, ['K']],
];
const selectingKeys: readonly KeyRow[] = [...rowKeys, [texts.keys.select, ['X']]];

/** Moves the focus by `j` and `k`, and selects by `x`. Enter on the name opens its row. */
const useRowKeys = (selects: boolean) => {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key } = event;
      if (!mayAct(event)) return;
      const rows = [...(body.current?.rows ?? [])];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      if (key === 'j' || key === 'k') {
        const next = rows[at === -1 ? 0 : at + (key === 'j' ? 1 : -1)];
        next?.querySelector<HTMLElement>('td.m a, td.m button')?.focus();
      } else if (key === 'x' && selects) {
        rows[at]?.querySelector<HTMLInputElement>('td.k input')?.click();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    const forgetKeys = describeKeys(selects ? selectingKeys : rowKeys);
    return () => {
      removeEventListener('keydown', press);
      forgetKeys();
    };
  }, [selects]);
  return body;
};

const Heading = <Row,>({
  column,
  order,
  onOrder,
}: Pick<TableProps<Row>, 'order' | 'onOrder'> & { readonly column: Column<Row> }) => {
  const { id, title, sorts } = column;
  if (sorts === undefined || !onOrder) {
    return (
      <th scope="col" class={column.class}>
        {column.hasHiddenTitle ? <span class="vh">{title}</span> : title}
      </th>
    );
  }
  const direction = order?.by === id ? order.direction : undefined;
  return (
    <th scope="col" class={column.class} aria-sort={direction}>
      <button
        type="button"
        onClick={() => onOrder({ by: id, direction: direction ? reverse(direction) : sorts })}
      >
        {title}
        {direction && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
      </button>
    </th>
  );
};

interface SortMenuProps<Sort> {
  /** The orders that there are now. */
  readonly sorts: readonly Sort[];
  readonly value: Sort;
  readonly onChange: (sort: Sort) => unknown;
  /** By default, only phones show it, because they have no headings. */
  readonly class?: string;
}

/** The order of a list in words, with a menu of the others. */
export const SortMenu = <Sort extends keyof typeof orderTexts>(props: SortMenuProps<Sort>) => {
  const { sorts, value, onChange, class: style = 'only-s' } = props;
  const text = orderTexts[value];
  return (
    <span class={style}>
      <Menu
        label={texts.sortedBy(text)}
        icon="sort"
        text={text}
        isLarge
        items={sorts.map((sort) => ({
          label: orderTexts[sort],
          icon: 'check',
          isChosen: sort === value,
          run: () => onChange(sort),
        }))}
      />
    </span>
  );
};

/** A list of records. On phones, a row is its main column, its status and its menu. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { caption, columns, rows, getKey, getName, selection, onOpen, openKey, actions } = props;
  const body = useRowKeys(selection !== undefined);
  const selected = selection?.value;
  /** The row that was chosen last, from which Shift selects, and whether Shift is held. */
  const range = useRef<{ from?: RowKey; isOn: boolean }>({ isOn: false });
  const isAll = rows.length > 0 && rows.every((row) => selected?.has(getKey(row)));
  const select = (keys: readonly RowKey[], isOn: boolean) => {
    if (!selection) return;
    const next = new Set(selection.value);
    for (const key of keys) {
      if (isOn) next.add(key);
      else next.delete(key);
    }
    selection.value = next;
  };
  const selectRow = (key: RowKey, isOn: boolean) => {
    const keys = rows.map(getKey);
    const from = keys.indexOf(range.current.isOn ? (range.current.from ?? key) : key);
    const to = keys.indexOf(key);
    select(from === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1), isOn);
    range.current.from = key;
  };
  return (
    <table class="table">
      <caption class="vh">{caption}</caption>
      <thead>
        <tr>
          {selection && (
            <th scope="col">
              <input
                type="checkbox"
                aria-label={texts.selectAll}
                checked={isAll}
                onChange={({ currentTarget }) => select(rows.map(getKey), currentTarget.checked)}
              />
            </th>
          )}
          {columns.map((column) => (
            <Heading
              key={column.id}
              column={column}
              order={props.order}
              {...(props.onOrder && { onOrder: props.onOrder })}
            />
          ))}
          {actions && (
            <th scope="col">
              <span class="vh">{texts.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => {
          const key = getKey(row);
          const items = actions?.(row) ?? [];
          const isSelected = selected?.has(key) ?? false;
          return (
            <tr
              key={key}
              {...props.rowAttributes?.(row)}
              aria-selected={selection && isSelected ? true : undefined}
              class={key === openKey ? 'opened' : undefined}
              onClick={(event) => !isControl(event.target) && onOpen?.(row)}
            >
              {selection && (
                <td class="k">
                  <input
                    type="checkbox"
                    aria-label={texts.select(getName(row))}
                    checked={isSelected}
                    onClick={({ shiftKey }) => {
                      range.current.isOn = shiftKey;
                    }}
                    onChange={({ currentTarget }) => selectRow(key, currentTarget.checked)}
                  />
                </td>
              )}
              {columns.map((column) => (
                <td key={column.id} class={column.isMain ? 'm' : column.class}>
                  {column.cell(row)}
                </td>
              ))}
              {actions && (
                <td>
                  {items.length > 0 && (
                    <Menu label={texts.actionsFor(getName(row))} items={items} />
                  )}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

interface BulkBarProps {
  readonly selection: Signal<ReadonlySet<RowKey>>;
  /** The actions, as small ghost buttons. */
  readonly children: ComponentChildren;
}

/** The actions for the selected rows, while there are any. */
export const BulkBar = ({ selection, children }: BulkBarProps) => {
  if (selection.value.size === 0) return null;
  const clear = () => {
    selection.value = new Set();
    document.querySelector('main')?.focus();
  };
  return (
    <div class="bulk" role="toolbar" aria-label={texts.withSelected}>
      <span role="status">{texts.selected(String(selection.value.size))}</span>
      {children}
      <button
        type="button"
        class="btn ghost icon sm"
        aria-label={texts.clearSelection}
        onClick={clear}
      >
        <Icon name="x" />
      </button>
    </div>
  );
};
