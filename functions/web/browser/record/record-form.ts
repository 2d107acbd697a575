import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ConflictError } from '../client/api-error.ts';
import { createForm, type Form, type FormOptions } from '../data/form.ts';
import { findChanges } from './conflict.tsx';

interface RecordFormOptions<Stored, Values> extends Pick<FormOptions<Values>, 'rules'> {
  /** The id of the form. */
  readonly id: string;
  /** The record as the page knows it now, whoever on it changed it. */
  readonly current: Stored;
  readonly toValues: (record: Stored) => Values;
  /** Saves changes of the record over its version. */
  readonly save: (record: Stored, changes: Partial<Values>, values: Values) => Promise<Stored>;
  /** Reads the version that is in the way of a save; by default, what the refusal names. */
  readonly readCurrent?: (refusal: ConflictError) => Promise<Stored | undefined>;
  /** Whether the newest version is the user’s own: then even where the form changes the same, nobody is in its way. */
  readonly isOwn?: boolean;
  /** Shows a version that was saved or taken over in the rest of the page. */
  readonly show: (record: Stored) => unknown;
}

interface RecordForm<Stored, Values> {
  /** The record that the values are compared with. */
  readonly record: Stored;
  readonly form: Form<Values>;
  /** The version that someone else saved meanwhile, until the user has decided. */
  readonly theirs: Signal<Stored | undefined>;
  /** Returns what the user has changed. */
  findMine(): Partial<Values>;
  keepMine(): void;
  keepTheirs(): void;
}

const readRefused = async <Stored>(refusal: ConflictError): Promise<Stored | undefined> =>
  (await refusal.readCurrent<Stored>())?.data;

/** Returns whether both change the same to different values. */
const collide = <Values extends object>(mine: Partial<Values>, theirs: Partial<Values>): boolean =>
  Object.keys(findChanges(mine, { ...mine, ...theirs })).some((name) => name in theirs);

/**
 * The form of a record. A change from elsewhere on the page is taken over, with what the user has typed on top of it; of one
 * that someone else saved meanwhile, the user chooses whose values to keep.
 */
export const useRecordForm = <Stored extends { readonly version: number }, Values extends object>(
  options: RecordFormOptions<Stored, Values>,
): RecordForm<Stored, Values> => {
  const {
    id,
    current,
    rules,
    toValues,
    save,
    readCurrent = readRefused<Stored>,
    isOwn = true,
    show,
  } = options;
  const record = useSignal(current);
  const theirs = useSignal<Stored | undefined>(undefined);
  const form = useMemo(
    () =>
      createForm<Values>({
        initial: toValues(current),
        ...(rules && { rules }),
        send: async (values) => {
          try {
            takeOver(await save(record.value, findMine(), values));
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            theirs.value = await readCurrent(error);
            if (!theirs.value) throw error;
          }
        },
      }),
    [],
  );
  const findMine = () => findChanges(form.values.value, toValues(record.value));
  /** Goes on from another version, without what was changed in the form, or with `mine`. */
  const goOn = (next: Stored, mine: Partial<Values> = {}) => {
    record.value = next;
    form.reset(toValues(next));
    form.values.value = { ...form.values.value, ...mine };
  };
  const takeOver = (next: Stored, mine?: Partial<Values>) => {
    theirs.value = undefined;
    goOn(next, mine);
    show(next);
  };
  useEffect(() => {
    if (current.version <= record.value.version) return;
    const mine = findMine();
    const changes = findChanges(toValues(current), toValues(record.value));
    if (isOwn || !collide(mine, changes)) goOn(current, mine);
    else theirs.value = current;
  }, [current.version]);
  const keepTheirs = () => {
    if (theirs.value) takeOver(theirs.value);
  };
  const keepMine = () => {
    if (!theirs.value) return;
    takeOver(theirs.value, findMine());
    document.querySelector<HTMLFormElement>(`#${id}`)?.requestSubmit();
  };
  return { record: record.value, form, theirs, findMine, keepMine, keepTheirs };
};
