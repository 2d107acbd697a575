import type { Signal } from '@preact/signals';
import type { Mapping } from '../../../../shared/text/csv-table.ts';
import { Labeled } from '../components/field.tsx';
import { fileTexts as texts } from './texts.ts';

interface ColumnChoiceProps<Field extends string> {
  readonly fields: readonly Field[];
  readonly labels: Readonly<Record<Field, string>>;
  /** The columns of the file. */
  readonly columns: readonly string[];
  readonly mapping: Signal<Mapping<Field>>;
}

/** Chooses which column of a file each field is in. */
export const ColumnChoice = <Field extends string>(props: ColumnChoiceProps<Field>) => {
  const { fields, labels, columns, mapping } = props;
  return (
    <section>
      <h3>{texts.mapping}</h3>
      <div class="mapping">
        {fields.map((field) => (
          <Labeled key={field} label={labels[field]}>
            {(connections) => (
              <select
                class="in"
                {...connections}
                value={String(mapping.value[field] ?? '')}
                onChange={({ currentTarget: { value } }) => {
                  const { [field]: _, ...others } = mapping.value;
                  const next = value === '' ? others : { ...others, [field]: Number(value) };
                  mapping.value = next as Mapping<Field>;
                }}
              >
                <option value="">{texts.notInFile}</option>
                {columns.map((name, at) => (
                  <option key={at} value={String(at)}>
                    {name || texts.column(at + 1)}
                  </option>
                ))}
              </select>
            )}
          </Labeled>
        ))}
      </div>
    </section>
  );
};
