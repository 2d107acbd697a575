import { mapTextFields, textFields } from '../../../api/sales/text-fields.ts';
import { fileTexts, lineTexts } from '../../browser/import/texts.ts';
import { saleFieldTexts } from '../../browser/sale-field-texts.ts';

const counted = (count: number, shown: string, noun: string): string =>
  `${shown} ${noun}${count === 1 ? '' : 's'}`;

/** A count, as a number and as it is shown. */
type Count = readonly [count: number, shown: string];

/** Texts of the sales page. */
export const salesTexts = {
  title: 'Sales',
  newSale: 'New sale',
  importFile: fileTexts.importFile,
  customerSearch: 'Customer, exact name',
  category: 'Category',
  from: 'From',
  to: 'To',
  columns: {
    customer: 'Customer',
    soldAt: 'Sold',
    profit: 'Profit',
    amount: 'Amount',
    status: 'Status',
  },
  noCustomer: 'No customer',
  refunded: 'Refunded',
  refundedAt: (time: string) => `Refunded ${time}. It counts in no total.`,
  name: (customer: string, amount: string) => `${customer}, ${amount}`,
  none: 'No sales yet',
  noneAbout: 'Record a sale, or import a file with many.',
  noMatch: 'No sales match your filter.',

  sums: {
    label: 'Totals of all sales',
    month: (month: string) => `Sales in ${month}`,
    year: 'Sales, last 12 months',
    profit: 'Profit, last 12 months',
    orders: (count: number, shown: string) => counted(count, shown, 'sale'),
    about: 'All sales except refunded ones, by months in UTC.',
  },

  open: 'Open',
  edit: 'Edit',
  ofCustomer: 'Sales to this customer',
  ofCategory: 'Sales in this category',
  editSale: 'Edit sale',
  viewSale: 'Sale',
  readOnly: 'You can’t change this sale.',
  sold: (time: string) => `Sold ${time}`,
  save: 'Save changes',
  record: 'Record sale',
  saved: 'Sale saved',
  recorded: 'Sale recorded',
  alreadyRecorded: 'This sale was already recorded',
  thisSale: 'this sale',
  theNewSale: 'the new sale',
  conflict: 'Someone else saved this sale while you were editing.',

  fields: {
    amount: 'Amount',
    cost: 'Cost',
    currency: 'Currency',
    ...saleFieldTexts,
    soldAt: 'Sold at',
    time: 'Time',
    externalId: 'External ID',
  },
  amountIn: (field: string, currency: string) => `${field} (${currency})`,
  costHint: 'What it cost you, for the profit.',
  soldOn: 'Sold on',
  soldOnHint: 'Leave it empty if it was sold just now.',
  timeHint: 'Leave it empty if only the day is known.',
  externalIdHint: 'Its ID in another system, such as an order number. Each is recorded once.',

  refund: 'Refund',
  refundTitle: (name: string) => `Refund ${name}?`,
  refundText: 'The sale stays in the list but no longer counts in any total. This can’t be undone.',
  refundDone: 'Sale refunded',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'It’s removed from all totals. This can’t be undone.',
  deleteSomeTitle: (count: string) => `Delete ${count} sales?`,
  deleteSomeText: 'They’re removed from all totals. This can’t be undone.',
  deleted: 'Sale deleted',
  deletedSome: (count: string) => `${count} sales deleted`,
  notDeleted: (names: string, reason: string) => `Couldn’t delete ${names}. ${reason}`,
  changedMeanwhile: 'Someone changed this sale. Check it and try again.',

  problems: {
    required: 'is required',
    notTime: 'must be a day such as 2026-11-21, or a time such as 2026-11-21 14:30',
    future: 'must not be in the future',
    currency: (currency: string) => `must be ${currency}, the currency of this service`,
    refunded: 'was refunded, which an import can’t record; leave this line out',
    repeated: (line: number) => `is already on line ${line}`,
    ...lineTexts,
  },
} as const;

/** Texts of importing a file. */
export const importTexts = {
  ...fileTexts,
  title: 'Import sales',
  back: 'Back to sales',
  formats: {
    amount: 'Required, such as 1234.56',
    cost: 'Such as 12.50',
    currency: (currency: string) => `Only ${currency}`,
    ...mapTextFields((field) => `Up to ${textFields[field]} characters`),
    soldAt: 'Required, such as 2026-11-21 or 2026-11-21 14:30',
    externalId: 'Its ID in another system. Each is recorded once.',
  },
  zone: (zone: string) => `Times without a time zone are read as ${zone}.`,

  empty: 'The file has no sales. Its first line names the columns, and each other line is a sale.',
  preview: (shown: number) => (shown === 1 ? 'The first sale' : `The first ${shown} sales`),
  ready: ([count, shown]: Count, sum: string) => `${counted(count, shown, 'sale')}, ${sum} in all.`,
  nothingReady: 'No line can be imported.',
  leftOut: ([count, shown]: Count) =>
    count === 1
      ? '1 line has errors and is left out.'
      : `${shown} lines have errors and are left out.`,
  start: ([count, shown]: Count) => `Import ${counted(count, shown, 'sale')}`,

  stopped: ([count, shown]: Count) => `Stopped. ${counted(count, shown, 'sale')} left.`,
  recorded: ([count, shown]: Count) => `${counted(count, shown, 'sale')} recorded`,
  repeated: (shown: string) => `${shown} already recorded before`,
  failedCount: ([count, shown]: Count) => `${counted(count, shown, 'line')} failed`,
  failed: 'Failed lines',
  reason: 'Reason',
  retry: 'Try again',
  showSales: 'Show sales',
} as const;
