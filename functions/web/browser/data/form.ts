import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { afterRendering } from '../after-rendering.ts';
import { ApiError } from '../client/api-error.ts';

/** Checks the value of a field. Returns what is wrong with it. */
export type Rule<Values, Name extends keyof Values> = (
  value: Values[Name],
  values: Values,
) => string | undefined;

type Rules<Values> = { readonly [Name in keyof Values]?: Rule<Values, Name> };
type Errors<Values> = { readonly [Name in keyof Values]?: string };

/** The state of a form. */
export interface Form<Values> {
  readonly values: Signal<Values>;
  readonly errors: ReadonlySignal<Errors<Values>>;
  /** What went wrong, if no field is to blame. */
  readonly failure: Signal<string | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Whether a value differs from those it began with. */
  readonly isChanged: ReadonlySignal<boolean>;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  /** Checks a field when it is left. */
  check(name: keyof Values): void;
  /** Starts anew with these values. */
  reset(values: Values): void;
  /** Takes all changes back. */
  discard(): void;
  /** Checks all fields and sends their values; focuses the first wrong one. */
  submit(event: SubmitEvent): Promise<void>;
}

export interface FormOptions<Values> {
  readonly initial: Values;
  readonly rules?: Rules<Values>;
  /** Sends the values. An ApiError that names fields is shown beside these. */
  readonly send: (values: Values) => Promise<unknown>;
}

/** "is required" becomes "Is required." */
export const toSentence = (message: string): string => {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
};

/** Creates the state of a form. Its fields are checked when they are left, and at submit. */
export const createForm = <Values extends object>(options: FormOptions<Values>): Form<Values> => {
  const { rules = {} as Rules<Values>, send } = options;
  const initial = signal(options.initial);
  const values = signal(options.initial);
  const errors = signal<Errors<Values>>({});
  const failure = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  const isChanged = computed(() => JSON.stringify(values.value) !== JSON.stringify(initial.value));

  const find = (name: keyof Values): string | undefined =>
    rules[name]?.(values.value[name], values.value);

  const set: Form<Values>['set'] = (name, value) => {
    values.value = { ...values.value, [name]: value };
    if (errors.value[name] !== undefined) errors.value = { ...errors.value, [name]: find(name) };
  };

  const check = (name: keyof Values) => {
    errors.value = { ...errors.value, [name]: find(name) };
  };

  const reset = (next: Values) =>
    batch(() => {
      initial.value = next;
      values.value = next;
      errors.value = {};
      failure.value = undefined;
    });

  const discard = () => reset(initial.value);

  const showFailure = (error: unknown) => {
    const details = error instanceof ApiError ? error.details : [];
    const known = details.filter(({ field }) => field in values.value);
    errors.value = {
      ...errors.value,
      ...Object.fromEntries(known.map(({ field, message }) => [field, toSentence(message)])),
    };
    if (known.length === 0) failure.value = (error as Error).message;
  };

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value) return;
    const form = event.currentTarget as HTMLFormElement;
    const focusFirst = () =>
      afterRendering(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    const names = Object.keys(values.value) as (keyof Values)[];
    batch(() => {
      failure.value = undefined;
      errors.value = Object.fromEntries(names.map((name) => [name, find(name)])) as Errors<Values>;
    });
    if (names.some((name) => errors.value[name] !== undefined)) {
      focusFirst();
      return;
    }
    isBusy.value = true;
    try {
      await send(values.value);
    } catch (error) {
      showFailure(error);
      focusFirst();
    }
    isBusy.value = false;
  };

  return { values, errors, failure, isBusy, isChanged, set, check, reset, discard, submit };
};
