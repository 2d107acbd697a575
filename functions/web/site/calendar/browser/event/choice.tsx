import { Labeled } from '../../../../browser/components/field.tsx';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => unknown;
}

/** A choice of several values. */
export const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <Labeled label={label}>
    {(connections) => (
      <select
        class="in"
        {...connections}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Labeled>
);
