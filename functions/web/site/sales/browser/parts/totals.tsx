import { Failure } from '../../../../browser/components/notice.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { formatMoney } from '../../../../browser/data/money.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { may } from '../../../../browser/shell/session.ts';
import { salesTexts } from '../../texts.ts';
import { isFiltered } from '../../view.ts';
import { currency, totals, view } from './state.ts';

const { sums: texts } = salesTexts;

const months = new Intl.DateTimeFormat(dateLanguage.read(), {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

interface SumProps {
  readonly label: string;
  readonly amount: number | undefined;
  readonly orders?: number | undefined;
}

const Sum = ({ label, amount, orders }: SumProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <b>{amount === undefined ? '–' : formatMoney(amount, currency)}</b>
      {orders !== undefined && <small>{texts.orders(orders, formatNumber(orders))}</small>}
    </dd>
  </div>
);

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

/** Names a month of the API, such as `2026-11`; before it has answered, one that many months ago. */
const nameMonth = (month: string | undefined, ago: number): string => {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago));
  return texts.month(months.format(month === undefined ? first : new Date(month)));
};

/** What all sales sum up to. With a filter, it would be about others than those in the list. */
export const Totals = () => {
  const { data, failure, load } = totals;
  if (!may('dashboard:view') || isFiltered(view.value)) return null;
  if (failure.value) {
    return (
      <div class="sums-failed">
        <Failure error={failure.value} again={load} />
      </div>
    );
  }
  const all = data.value;
  const [before, now] = all?.slice(-2) ?? [];
  return (
    <section aria-label={texts.label} class="sums-of-all">
      <dl class="sums num">
        <Sum label={nameMonth(now?.month, 0)} amount={now?.sales} orders={now?.orders} />
        <Sum label={nameMonth(before?.month, 1)} amount={before?.sales} orders={before?.orders} />
        <Sum
          label={texts.year}
          amount={all && sum(all.map(({ sales }) => sales))}
          orders={all && sum(all.map(({ orders }) => orders))}
        />
        <Sum label={texts.profit} amount={all && sum(all.map(({ profit }) => profit))} />
      </dl>
      <p class="tiny mute">{texts.about}</p>
    </section>
  );
};
