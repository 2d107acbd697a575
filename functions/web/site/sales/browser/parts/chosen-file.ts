import { computed } from '@preact/signals';
import { importFields } from '../../../../../api/sales/import-file.ts';
import { createChosenFile } from '../../../../browser/import/chosen-file.ts';
import { readLines } from '../../import/lines.ts';
import { importTexts as texts } from '../../texts.ts';
import { reset } from './importing.ts';
import { currency } from './state.ts';

/** The file that is checked, and how it is chosen. */
export const { file, mapping, failure, choose, clear } = createChosenFile(
  importFields,
  texts.empty,
  reset,
);

/** The fields that every sale needs and that no column is chosen for. */
export const unmapped = computed(() =>
  (['amount', 'soldAt'] as const).filter((field) => mapping.value[field] === undefined),
);

/** The lines of the file, once it is known which columns they have. */
export const lines = computed(() =>
  file.value && unmapped.value.length === 0 ? readLines(file.value, mapping.value, currency) : [],
);
export const ready = computed(() => lines.value.filter(({ problems }) => problems.length === 0));
export const wrong = computed(() => lines.value.filter(({ problems }) => problems.length > 0));
