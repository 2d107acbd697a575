import {
  can,
  permissions,
  roleGrants,
  roleLabels,
  roles,
} from '../../../../../../shared/permissions/permissions.ts';
import { Icon } from '../../../../browser/components/icon.tsx';
import { permissionTexts } from '../../../../browser/people/permission-texts.ts';
import { usersTexts as texts } from '../../texts.ts';

const nameOf = (permission: string): string => {
  const [area, action] = permission.split(':');
  return permissionTexts.cell(
    permissionTexts.areas[area as keyof typeof permissionTexts.areas],
    permissionTexts.actions[action as keyof typeof permissionTexts.actions],
  );
};

/** What each role may do, as a table. */
export const Roles = () => (
  <div class="pad">
    <p class="sub">{texts.rolesAbout}</p>
    <dl class="stack mt">
      {roles.map((role) => (
        <div key={role} class="row">
          <dt>
            <b>{roleLabels[role]}</b>
          </dt>
          <dd class="sub">{texts.roles[role]}</dd>
        </div>
      ))}
    </dl>
    <table class="matrix mt">
      <caption class="vh">{texts.tabs.roles}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.permission}</th>
          {roles.map((role) => (
            <th key={role} scope="col">
              {roleLabels[role]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissions.map((permission) => (
          <tr key={permission}>
            <th scope="row">{nameOf(permission)}</th>
            {roles.map((role) => (
              <td key={role}>
                {can(roleGrants[role], permission) ? (
                  <>
                    <Icon name="check" />
                    <span class="vh">{texts.yes}</span>
                  </>
                ) : (
                  <span class="vh">{texts.no}</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
