import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { Pager } from '../../../../browser/components/pager.tsx';
import { BulkBar, type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatMoney } from '../../../../browser/data/money.ts';
import { toOrder, toSort } from '../../../../browser/data/sort-order.ts';
import { may } from '../../../../browser/shell/session.ts';
import { salesTexts as texts } from '../../texts.ts';
import { isFiltered, noFilter, sorts, toUrl } from '../../view.ts';
import { listActions, remove } from './actions.ts';
import { formatSold, formatSoldDay } from './sold-at.ts';
import { getName, list, pageSize, type Sale, selection, url, view } from './state.ts';

const open = ({ id }: Sale) =>
  url.change({ open: id }, view.value.open === undefined ? 'push' : 'replace');

const Name = ({ sale }: { readonly sale: Sale }) => {
  const { customer, category, amount, currency } = sale;
  const name = customer ?? texts.noCustomer;
  return (
    <span class="person">
      <span>
        <b title={name} dir="auto">
          <a
            href={toUrl({ ...view.value, open: sale.id })}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              open(sale);
            }}
          >
            {name}
          </a>
        </b>
        <span>
          <span class="only-s num">
            {formatMoney(amount, currency)}
            {` · ${formatSoldDay(sale)}`}
          </span>
          <span class="hide-s" dir="auto">
            {category}
          </span>
        </span>
      </span>
    </span>
  );
};

const columns: readonly Column<Sale>[] = [
  {
    id: 'customer',
    title: texts.columns.customer,
    isMain: true,
    cell: (sale) => <Name sale={sale} />,
  },
  {
    id: 'soldAt',
    title: texts.columns.soldAt,
    sorts: 'descending',
    class: 'sub num',
    cell: formatSold,
  },
  {
    id: 'status',
    title: texts.columns.status,
    class: 'status',
    cell: ({ refundedAt }) =>
      refundedAt !== null && (
        <Badge kind="warn" hasDot>
          {texts.refunded}
        </Badge>
      ),
  },
  {
    id: 'profit',
    title: texts.columns.profit,
    class: 'r sub num hide-d',
    cell: ({ amount, cost, currency }) => formatMoney(amount - cost, currency),
  },
  {
    id: 'amount',
    title: texts.columns.amount,
    class: 'r num amount',
    cell: ({ amount, currency, refundedAt }) =>
      refundedAt === null ? formatMoney(amount, currency) : <s>{formatMoney(amount, currency)}</s>,
  },
];

const natural = { soldAt: 'descending' } as const;

const getSelected = (): readonly Sale[] =>
  (list.items.value ?? []).filter(({ id }) => selection.value.has(id));

const Bulk = () => (
  <BulkBar selection={selection}>
    <Button kind="ghost" size="sm" icon="trash" onClick={() => remove(getSelected())}>
      {texts.delete}
    </Button>
  </BulkBar>
);

const create = (
  <Button kind="primary" icon="plus" onClick={() => url.change({ open: 'new' }, 'push')}>
    {texts.newSale}
  </Button>
);

const Nothing = () => {
  if (isFiltered(view.value) || view.value.page > 1) {
    return <NoResults text={texts.noMatch} clear={() => url.change({ ...noFilter, page: 1 })} />;
  }
  const isSeller = may('sales:create');
  return (
    <Empty
      title={texts.none}
      text={isSeller ? texts.noneAbout : undefined}
      action={isSeller && create}
    />
  );
};

/** The sales that match the filter, a page at a time. */
export const List = () => (
  <ListFrame list={list} again={() => list.load(view.value.page)} empty={() => <Nothing />}>
    {(rows) => (
      <>
        <Table
          caption={texts.title}
          columns={columns}
          rows={rows}
          getKey={({ id }) => id}
          getName={getName}
          order={toOrder(view.value.sort, natural)}
          onOrder={(order) => {
            const sort = toSort(order, natural, sorts);
            if (sort) url.change({ sort, page: 1 });
          }}
          {...(may('sales:delete') && { selection })}
          onOpen={open}
          openKey={typeof view.value.open === 'number' ? view.value.open : undefined}
          actions={listActions}
        />
        <Pager list={list} pageSize={pageSize} onPage={(page) => url.change({ page }, 'push')} />
        <Bulk />
      </>
    )}
  </ListFrame>
);
