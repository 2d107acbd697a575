import type { Entry } from './entries.ts';
import { permissionTexts as texts } from './permission-texts.ts';

const actions = ['view', 'create', 'update', 'delete', 'manage', 'export'] as const;

type Action = (typeof actions)[number];
type Area = Entry extends `${infer Name}:${string}` ? Name : never;

const getAreas = (entries: readonly Entry[]): readonly Area[] => [
  ...new Set(entries.map((entry) => entry.split(':')[0] as Area)),
];

interface PermissionGridProps<One extends Entry> {
  /** What there is to choose from. */
  readonly all: readonly One[];
  readonly granted: ReadonlySet<One>;
  /** Those that come with the role: checked, and not to be taken away here. */
  readonly fixed: ReadonlySet<One>;
  /** Those that the user may give: only what they have themselves. */
  readonly grantable: ReadonlySet<One>;
  readonly onChange: (granted: ReadonlySet<One>) => unknown;
}

/** A choice of permissions: a row for each area, a column for each action. Stands in a `fieldset` with a legend. */
export const PermissionGrid = <One extends Entry>({
  all,
  granted,
  fixed,
  grantable,
  onChange,
}: PermissionGridProps<One>) => {
  const find = (area: Area, action: Action) => all.find((entry) => entry === `${area}:${action}`);
  const explain = (entry: One): keyof typeof texts.reasons | undefined => {
    if (fixed.has(entry)) return 'fixed';
    return grantable.has(entry) ? undefined : 'notGrantable';
  };
  const change = (entry: One, isOn: boolean) => {
    const next = new Set(granted);
    if (isOn) next.add(entry);
    else next.delete(entry);
    onChange(next);
  };
  const reasons = [...new Set(all.map(explain))].filter((reason) => reason !== undefined);
  return (
    <>
      <div class="perm">
        {[texts.area, ...actions.map((action) => texts.actions[action])].map((heading) => (
          <span key={heading} class="h" aria-hidden="true">
            {heading}
          </span>
        ))}
        {getAreas(all).flatMap((area) => [
          <span key={area} class="n" aria-hidden="true">
            {texts.areas[area]}
          </span>,
          ...actions.map((action) => {
            const entry = find(area, action);
            if (entry === undefined) return <span key={`${area}:${action}`} />;
            const reason = explain(entry);
            const why = reason && texts.reasons[reason];
            return (
              <label key={entry} title={why}>
                <input
                  type="checkbox"
                  aria-label={texts.cell(texts.areas[area], texts.actions[action])}
                  aria-description={why}
                  checked={granted.has(entry) || fixed.has(entry)}
                  disabled={reason !== undefined}
                  onChange={({ currentTarget }) => change(entry, currentTarget.checked)}
                />
              </label>
            );
          }),
        ])}
      </div>
      {reasons.map((reason) => (
        <p key={reason} class="hint">
          {texts.notes[reason]}
        </p>
      ))}
    </>
  );
};
