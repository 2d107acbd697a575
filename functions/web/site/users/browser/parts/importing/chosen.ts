import { computed, effect, signal } from '@preact/signals';
import { importFields, requiredFields } from '../../../../../../api/users/import/file.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { createChosenFile } from '../../../../../browser/import/chosen-file.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { readLines, toBatches, type UserLine } from '../../../import/lines.ts';
import { importTexts as texts } from '../../../import-texts.ts';
import { reset } from './sending.ts';

export type Outcome = Data<'POST /api/users/import'>['lines'][number];

/** How many lines a request checks. */
const checkedAtOnce = 200;

/** The file that is checked, and how it is chosen. */
export const { file, mapping, failure, choose, clear } = createChosenFile(
  importFields,
  texts.empty,
  reset,
);

/** The fields that every user needs and that no column is chosen for. */
export const unmapped = computed(() =>
  requiredFields.filter((field) => mapping.value[field] === undefined),
);

/** The lines of the file, once it is known which columns they have. */
export const lines = computed(() =>
  file.value && unmapped.value.length === 0 ? readLines(file.value, mapping.value) : [],
);

/** What the service says of the lines so far. */
export const outcomes = signal<ReadonlyMap<number, Outcome>>(new Map());
/** Why it couldn’t check all. */
export const checkFailure = signal<Error | undefined>(undefined);

const readable = computed(() => lines.value.filter(({ problem }) => problem === undefined));

/** How many lines are checked, of how many; `undefined` once all are. */
export const checking = computed(() => {
  const [done, count] = [outcomes.value.size, readable.value.length];
  return done < count ? { done, count } : undefined;
});

const ofResult = (result: Outcome['result']) => (): readonly UserLine[] =>
  readable.value.filter(({ line }) => outcomes.value.get(line)?.result === result);

export const fresh = computed(ofResult('new'));
export const existing = computed(ofResult('exists'));
export const invalid = computed(() => [
  ...lines.value.filter(({ problem }) => problem !== undefined),
  ...ofResult('invalid')(),
]);

/** Asks the service what would become of the lines. Another choice of columns ends it. */
export const check = async (): Promise<void> => {
  const asked = readable.peek();
  outcomes.value = new Map();
  checkFailure.value = undefined;
  try {
    for (const batch of toBatches(asked, checkedAtOnce)) {
      const users = batch.map(({ line, row }) => ({ line, ...row }));
      const { lines: found } = await api.call('POST /api/users/import', {
        body: { dryRun: true, users },
        isRepeatable: true,
        retryMs: 60_000,
      });
      if (readable.peek() !== asked) return;
      outcomes.value = new Map([
        ...outcomes.value,
        ...found.map((one): [number, Outcome] => [one.line, one]),
      ]);
    }
  } catch (error) {
    if (readable.peek() === asked) checkFailure.value = error as Error;
  }
};

effect(() => {
  if (readable.value.length > 0) void check();
});
