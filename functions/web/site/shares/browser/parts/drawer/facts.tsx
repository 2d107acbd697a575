import type { ComponentChildren } from 'preact';

/** What is known about a share: names and values. */
export const Facts = ({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) => (
  <dl class="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);
