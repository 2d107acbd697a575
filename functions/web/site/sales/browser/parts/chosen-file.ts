import { computed, signal } from '@preact/signals';
import { decodeText } from '../../../../../../shared/text/decode.ts';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { formatNumber } from '../../../../browser/data/format.ts';
import {
  type Mapping,
  mapColumns,
  maxBytes,
  maxLines,
  readFile,
  readLines,
  type SalesFile,
} from '../../import/lines.ts';
import { importTexts as texts } from '../../texts.ts';
import { reset } from './importing.ts';
import { currency } from './state.ts';

/** A file that is read; `encoding` is for people, unless it is UTF-8. */
interface ReadFile extends SalesFile {
  readonly encoding: string | undefined;
}

/** The file that is checked, and its name. */
export const file = signal<(ReadFile & { readonly name: string }) | undefined>(undefined);
export const mapping = signal<Mapping>({});
/** Why the file can’t be imported. */
export const failure = signal<string | undefined>(undefined);

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

const read = async (chosen: File): Promise<ReadFile | string> => {
  if (chosen.size > maxBytes) return texts.tooLarge(formatBytes(maxBytes));
  const decoded = decodeText(await chosen.arrayBuffer());
  if (!decoded) return texts.notText;
  const found = readFile(decoded.text);
  if (found.records.length > maxLines) return texts.tooLong(formatNumber(maxLines));
  return found.records.length === 0 ? texts.empty : { ...found, encoding: decoded.encoding };
};

/** Reads and checks a file; nothing is sent. */
export const choose = async (chosen: File): Promise<void> => {
  const found = await read(chosen);
  reset();
  failure.value = typeof found === 'string' ? found : undefined;
  file.value = typeof found === 'string' ? undefined : { ...found, name: chosen.name };
  mapping.value = typeof found === 'string' ? {} : mapColumns(found.columns);
};

/** Goes back to choosing a file. */
export const clear = (): void => {
  reset();
  file.value = undefined;
  failure.value = undefined;
};
