import { type Permission, permissions } from '../../../../../../shared/permissions/permissions.ts';
import { sentences } from '../../../../../../shared/permissions/sentences.ts';
import { useUniqueId } from '../../../../browser/data/unique-id.ts';
import { permissionTexts } from '../../../../browser/people/permission-texts.ts';

interface AreaProps {
  readonly area: string;
  readonly entries: readonly Permission[];
}

interface ChoiceProps {
  readonly granted: ReadonlySet<Permission>;
  /** Those that the user may give: only what they have themselves. */
  readonly grantable: ReadonlySet<Permission>;
  readonly onChange: (granted: ReadonlySet<Permission>) => unknown;
}

const byArea = [...Map.groupBy(permissions, (entry) => entry.split(':')[0] ?? '')];

const Area = ({ area, entries, granted, grantable, onChange }: AreaProps & ChoiceProps) => {
  const id = useUniqueId();
  const change = (entry: Permission, isOn: boolean) => {
    const next = new Set(granted);
    if (isOn) next.add(entry);
    else next.delete(entry);
    onChange(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset within another one is announced with both legends
    <div role="group" aria-labelledby={id}>
      <h3 id={id}>{permissionTexts.areas[area as keyof typeof permissionTexts.areas]}</h3>
      {entries.map((entry) => {
        const why = grantable.has(entry) ? undefined : permissionTexts.reasons.notGrantable;
        return (
          <label key={entry} title={why}>
            <input
              type="checkbox"
              aria-description={why}
              checked={granted.has(entry)}
              disabled={why !== undefined}
              onChange={({ currentTarget }) => change(entry, currentTarget.checked)}
            />
            {sentences[entry]}
          </label>
        );
      })}
    </div>
  );
};

/** A choice of all permissions by area, each in a sentence. Stands in a `fieldset` with a legend. */
export const RolePermissions = (props: ChoiceProps) => (
  <>
    <div class="rights">
      {byArea.map(([area, entries]) => (
        <Area key={area} area={area} entries={entries} {...props} />
      ))}
    </div>
    {permissions.some((entry) => !props.grantable.has(entry)) && (
      <p class="hint">{permissionTexts.notes.notGrantable}</p>
    )}
  </>
);
