import type { ImportField } from '../../../../../api/sales/import-file.ts';
import { getDecimals } from '../../../../../api/sales/money.ts';
import {
  mapTextFields,
  pickTextFields,
  type TextField as SaleText,
  textFieldNames,
  textFields,
} from '../../../../../api/sales/text-fields.ts';
import { TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { type Form, toSentence } from '../../../../browser/data/form.ts';
import { findProblem, toPlainAmount } from '../../sale-input.ts';
import { salesTexts as texts } from '../../texts.ts';
import { categories, loadCategories, type Sale } from './state.ts';

/** What the form of a sale changes. */
export interface SaleValues extends Readonly<Record<SaleText, string>> {
  readonly amount: string;
  readonly cost: string;
  /** The day, as the field of the browser has it: `2026-11-21`. */
  readonly soldAt: string;
  /** The time of the day, in the browser’s time zone: `14:30`. Empty if only the day is known. */
  readonly time: string;
}

/** Writes an amount with all its decimals. */
const toAmount = (amount: number, currency: string): string =>
  amount.toFixed(getDecimals(currency));

/** Splits a time into a day and a time of the browser’s time zone. */
const toLocal = (iso: string) => {
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return { soldAt: local.slice(0, 10), time: local.slice(11, 16) };
};

/** Returns what a form shows of a sale. */
export const toValues = ({ amount, cost, currency, soldAt, day, ...sale }: Sale) => ({
  amount: toAmount(amount, currency),
  cost: toAmount(cost, currency),
  ...mapTextFields((field) => sale[field] ?? ''),
  ...(day === null ? toLocal(soldAt) : { soldAt: day, time: '' }),
});

/** Converts values to those of a request: all, or those that changed. Empty texts are none. */
export const toBody = (values: SaleValues, changed: Partial<SaleValues> = values) => {
  const { amount, cost } = changed;
  const { soldAt, time } = values;
  const isSold = (changed.soldAt ?? changed.time) !== undefined && soldAt !== '';
  return {
    ...(amount !== undefined && { amount: toPlainAmount(amount) }),
    ...(cost !== undefined && { cost: toPlainAmount(cost) || null }),
    ...pickTextFields((field) =>
      changed[field] === undefined ? undefined : changed[field].trim() || null,
    ),
    ...(isSold && { soldAt: time ? new Date(`${soldAt}T${time}`).toISOString() : soldAt }),
  };
};

/** Creates the rule of a field. */
export const ruleOf = (field: ImportField, currency: string) => (value: string) => {
  const problem = findProblem(field, value, currency);
  return problem && toSentence(problem);
};

/** Creates the rule of the day. A sale that is recorded was made at some time; a new one without a day is made now. */
const soldRule =
  (isRecorded: boolean) =>
  (day: string, { time }: SaleValues): string | undefined => {
    const isMissing = day === '' && (isRecorded || time !== '');
    const problem = isMissing
      ? texts.problems.required
      : findProblem('soldAt', time === '' ? day : `${day} ${time}`, undefined);
    return problem && toSentence(problem);
  };

/** Creates the rules of a sale’s fields. */
export const saleRules = (currency: string, isRecorded = false) => ({
  amount: ruleOf('amount', currency),
  cost: ruleOf('cost', currency),
  ...mapTextFields((field) => ruleOf(field, currency)),
  soldAt: soldRule(isRecorded),
});

interface SaleFieldsProps {
  readonly form: Form<SaleValues>;
  readonly currency: string;
  /** Whether they can only be read. */
  readonly isDisabled?: boolean;
  readonly soldOnHint?: string;
}

/** The fields of a sale. */
export const SaleFields = ({ form, currency, isDisabled = false, soldOnHint }: SaleFieldsProps) => (
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
    {textFieldNames.map((field) => (
      <TextField
        key={field}
        form={form}
        name={field}
        label={texts.fields[field]}
        maxLength={textFields[field]}
        autocomplete="off"
        {...(field === 'category' && { suggestions: categories.value, onFocus: loadCategories })}
        disabled={isDisabled}
      />
    ))}
    <div class="two">
      <TextField
        form={form}
        name="soldAt"
        type="date"
        label={texts.soldOn}
        {...(soldOnHint !== undefined && { hint: soldOnHint })}
        disabled={isDisabled}
      />
      <TextField
        form={form}
        name="time"
        type="time"
        label={texts.fields.time}
        hint={texts.timeHint}
        disabled={isDisabled}
      />
    </div>
  </>
);

/** Why a form could not be sent, if no field is to blame. */
export const FormFailure = ({ form }: { readonly form: Form<object> }) =>
  form.failure.value === undefined ? null : <Notice kind="bad">{form.failure.value}</Notice>;
