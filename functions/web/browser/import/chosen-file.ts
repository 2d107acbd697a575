import { type Signal, signal } from '@preact/signals';
import {
  type CsvTable,
  type Mapping,
  mapColumns,
  readTable,
} from '../../../../shared/text/csv-table.ts';
import { decodeText } from '../../../../shared/text/decode.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { formatNumber } from '../data/format.ts';
import { fileTexts as texts } from './texts.ts';

/** The largest file. Bytes. */
export const maxBytes = 1_024 * 1_024;

/** The most lines. */
export const maxLines = 2_000;

/** A file that is read; `encoding` is for people, unless it is UTF-8. */
interface ReadFile extends CsvTable {
  readonly encoding: string | undefined;
}

/** The file that is checked. */
export interface ChosenFile<Field extends string> {
  readonly file: Signal<(ReadFile & { readonly name: string }) | undefined>;
  readonly mapping: Signal<Mapping<Field>>;
  /** Why the file can’t be imported. */
  readonly failure: Signal<string | undefined>;
  /** Reads and checks a file; nothing is sent. */
  choose(chosen: File): Promise<void>;
  /** Goes back to choosing a file. */
  clear(): void;
}

const read = async (chosen: File, empty: string): Promise<ReadFile | string> => {
  if (chosen.size > maxBytes) return texts.tooLarge(formatBytes(maxBytes));
  const decoded = decodeText(await chosen.arrayBuffer());
  if (!decoded) return texts.notText;
  const found = readTable(decoded.text);
  if (found.records.length > maxLines) return texts.tooLong(formatNumber(maxLines));
  return found.records.length === 0 ? empty : { ...found, encoding: decoded.encoding };
};

/** Creates the choice of a file with these fields. `empty` says that it has no lines; `reset` forgets the file before. */
export const createChosenFile = <Field extends string>(
  fields: readonly Field[],
  empty: string,
  reset: () => void,
): ChosenFile<Field> => {
  const file: ChosenFile<Field>['file'] = signal(undefined);
  const none = {} as Mapping<Field>;
  const mapping = signal<Mapping<Field>>(none);
  const failure = signal<string | undefined>(undefined);
  return {
    file,
    mapping,
    failure,
    async choose(chosen) {
      const found = await read(chosen, empty);
      const isRead = typeof found !== 'string';
      reset();
      failure.value = isRead ? undefined : found;
      mapping.value = isRead ? mapColumns(fields, found.columns) : none;
      file.value = isRead ? { ...found, name: chosen.name } : undefined;
    },
    clear() {
      reset();
      file.value = undefined;
      failure.value = undefined;
    },
  };
};
