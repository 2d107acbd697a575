import type { ImportField } from '../../../../../api/sales/import-file.ts';
import { getDecimals } from '../../../../../api/sales/money.ts';
import { TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { type Form, toSentence } from '../../../../browser/data/form.ts';
import { findProblem, maxLengths, toPlainAmount } from '../../sale-input.ts';
import { salesTexts as texts } from '../../texts.ts';
import { categories, loadCategories, type Sale } from './state.ts';

/** What the form of a sale changes. */
export interface SaleValues {
  readonly amount: string;
  readonly cost: string;
  readonly customer: string;
  readonly category: string;
  /** A time without a time zone, as the field of the browser has it: `2026-11-21T14:30`. */
  readonly soldAt: string;
}

/** Writes an amount with all its decimals. */
const toAmount = (amount: number, currency: string): string =>
  amount.toFixed(getDecimals(currency));

const toLocalTime = (iso: string): string => {
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
};

/** Returns what a form shows of a sale. */
export const toValues = ({ amount, cost, currency, customer, category, soldAt }: Sale) => ({
  amount: toAmount(amount, currency),
  cost: toAmount(cost, currency),
  customer: customer ?? '',
  category: category ?? '',
  soldAt: toLocalTime(soldAt),
});

/** Converts values to those of a request. Empty texts are none. */
export const toBody = ({ amount, cost, customer, category, soldAt }: Partial<SaleValues>) => ({
  ...(amount !== undefined && { amount: toPlainAmount(amount) }),
  ...(cost !== undefined && { cost: toPlainAmount(cost) || null }),
  ...(customer !== undefined && { customer: customer.trim() || null }),
  ...(category !== undefined && { category: category.trim() || null }),
  ...(soldAt !== undefined && soldAt !== '' && { soldAt: new Date(soldAt).toISOString() }),
});

/** Creates the rule of a field. */
export const ruleOf = (field: ImportField, currency: string) => (value: string) => {
  const problem = findProblem(field, value, currency);
  return problem && toSentence(problem);
};

/** Creates the rules of a sale’s fields. */
export const saleRules = (currency: string) => ({
  amount: ruleOf('amount', currency),
  cost: ruleOf('cost', currency),
  customer: ruleOf('customer', currency),
  category: ruleOf('category', currency),
  soldAt: ruleOf('soldAt', currency),
});

interface SaleFieldsProps {
  readonly form: Form<SaleValues>;
  readonly currency: string;
  /** Whether they can only be read. */
  readonly isDisabled?: boolean;
  readonly soldAtHint?: string;
}

/** The fields of a sale. */
export const SaleFields = ({ form, currency, isDisabled = false, soldAtHint }: SaleFieldsProps) => (
  <>
    <div class="two">
      <TextField
        form={form}
        name="amount"
        label={texts.amountIn(texts.fields.amount, currency)}
        inputMode="decimal"
        maxLength={30}
        autocomplete="off"
        disabled={isDisabled}
      />
      <TextField
        form={form}
        name="cost"
        label={texts.amountIn(texts.fields.cost, currency)}
        hint={texts.costHint}
        inputMode="decimal"
        maxLength={30}
        autocomplete="off"
        disabled={isDisabled}
      />
    </div>
    <TextField
      form={form}
      name="customer"
      label={texts.fields.customer}
      maxLength={maxLengths.customer}
      autocomplete="off"
      disabled={isDisabled}
    />
    <TextField
      form={form}
      name="category"
      label={texts.fields.category}
      maxLength={maxLengths.category}
      autocomplete="off"
      suggestions={categories.value}
      onFocus={loadCategories}
      disabled={isDisabled}
    />
    <TextField
      form={form}
      name="soldAt"
      type="datetime-local"
      label={texts.fields.soldAt}
      {...(soldAtHint !== undefined && { hint: soldAtHint })}
      disabled={isDisabled}
    />
  </>
);

/** Why a form could not be sent, if no field is to blame. */
export const FormFailure = ({ form }: { readonly form: Form<object> }) =>
  form.failure.value === undefined ? null : <Notice kind="bad">{form.failure.value}</Notice>;
