import { can, type Permission, permissions } from '../../../../shared/permissions/permissions.ts';
import { permissionTexts as texts } from '../components/texts.ts';

const actions = ['view', 'create', 'update', 'delete', 'manage'] as const;

type Action = (typeof actions)[number];
type Area = Permission extends `${infer Name}:${string}` ? Name : never;

const areas = [...new Set(permissions.map((permission) => permission.split(':')[0] as Area))];

const toPermission = (area: Area, action: Action): Permission | undefined =>
  permissions.find((permission) => permission === `${area}:${action}`);

/** Returns the permissions that entries grant, wildcards such as `documents:*` included. */
export const expandPermissions = (entries: readonly string[]): ReadonlySet<Permission> =>
  new Set(permissions.filter((permission) => can(entries, permission)));

interface PermissionGridProps {
  readonly granted: ReadonlySet<Permission>;
  /** Those that come with the role: checked, and not to be taken away here. */
  readonly fixed: ReadonlySet<Permission>;
  /** Those that the user may give: only what they have themselves. */
  readonly grantable: ReadonlySet<Permission>;
  readonly onChange: (granted: ReadonlySet<Permission>) => unknown;
}

/** A choice of permissions: a row for each area, a column for each action. Stands in a `fieldset` with a legend. */
export const PermissionGrid = ({ granted, fixed, grantable, onChange }: PermissionGridProps) => {
  const explain = (permission: Permission): keyof typeof texts.reasons | undefined => {
    if (fixed.has(permission)) return 'fixed';
    return grantable.has(permission) ? undefined : 'notGrantable';
  };
  const change = (permission: Permission, isOn: boolean) => {
    const next = new Set(granted);
    if (isOn) next.add(permission);
    else next.delete(permission);
    onChange(next);
  };
  const reasons = [...new Set(permissions.map(explain))].filter((reason) => reason !== undefined);
  return (
    <>
      <div class="perm">
        {[texts.area, ...actions.map((action) => texts.actions[action])].map((heading) => (
          <span key={heading} class="h" aria-hidden="true">
            {heading}
          </span>
        ))}
        {areas.flatMap((area) => [
          <span key={area} class="n" aria-hidden="true">
            {texts.areas[area]}
          </span>,
          ...actions.map((action) => {
            const permission = toPermission(area, action);
            if (permission === undefined) return <span key={`${area}:${action}`} />;
            const reason = explain(permission);
            const why = reason && texts.reasons[reason];
            return (
              <label key={permission} title={why}>
                <input
                  type="checkbox"
                  aria-label={texts.cell(texts.areas[area], texts.actions[action])}
                  aria-description={why}
                  checked={granted.has(permission) || fixed.has(permission)}
                  disabled={reason !== undefined}
                  onChange={({ currentTarget }) => change(permission, currentTarget.checked)}
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
