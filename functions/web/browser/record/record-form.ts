import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ConflictError } from '../client/api-error.ts';
import { createForm, type FormOptions } from '../data/form.ts';
import { findChanges } from './conflict.tsx';

interface RecordFormOptions<Stored, Values> extends Pick<FormOptions<Values>, 'rules'> {
  /** The id of the form. */
  readonly id: string;
  /** The record as the page has it now. */
  readonly current: Stored;
  readonly toValues: (record: Stored) => Values;
  /** Saves changes of a version of the record. */
  readonly save: (record: Stored, changes: Partial<Values>) => Promise<Stored>;
  /** Shows the record as it is now in the rest of the page. */
  readonly show: (record: Stored) => void;
}

/** The form of a record that others may change meanwhile: then its user chooses whose values to keep. */
export const useRecordForm = <Stored extends { readonly version: number }, Values extends object>(
  options: RecordFormOptions<Stored, Values>,
) => {
  const { id, current, rules, toValues, save, show } = options;
  const record = useSignal(current);
  /** The version that someone else saved meanwhile. */
  const theirs = useSignal<Stored | undefined>(undefined);
  const takeOver = (next: Stored) => {
    record.value = next;
    form.reset(toValues(next));
  };
  const form = useMemo(
    () =>
      createForm<Values>({
        initial: toValues(current),
        ...(rules && { rules }),
        send: async (values) => {
          try {
            const saved = await save(record.value, findChanges(values, toValues(record.value)));
            takeOver(saved);
            show(saved);
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            theirs.value = (await error.readCurrent<Stored>())?.data;
            if (!theirs.value) throw error;
          }
        },
      }),
    [],
  );
  // A change from the rest of the page is shown here, too, unless something is being written.
  useEffect(() => {
    if (current.version !== record.value.version && !form.isChanged.value) takeOver(current);
  }, [current.version]);
  const findMine = () => findChanges(form.values.value, toValues(record.value));
  const keepTheirs = () => {
    if (!theirs.value) return;
    takeOver(theirs.value);
    show(theirs.value);
    theirs.value = undefined;
  };
  const keepMine = () => {
    const mine = findMine();
    keepTheirs();
    form.values.value = { ...form.values.value, ...mine };
    document.querySelector<HTMLFormElement>(`#${id}`)?.requestSubmit();
  };
  return { record, theirs, form, findMine, keepMine, keepTheirs };
};
