import { can, permissions } from '../../../../../../shared/permissions/permissions.ts';
import { sentences } from '../../../../../../shared/permissions/sentences.ts';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { may } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { toUrl } from '../../view.ts';
import { allRoles, describeRole, type Role, roleSource } from './role-list.ts';
import { url, view } from './state.ts';

const open = (openRole: string) =>
  url.change({ openRole }, view.value.openRole === undefined ? 'push' : 'replace');

const RoleLine = ({ role }: { readonly role: Role }) => {
  const { name, label, builtIn, users } = role;
  return (
    <li>
      <span class="grow">
        <a
          href={toUrl({ ...view.value, openRole: name })}
          dir="auto"
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            open(name);
          }}
        >
          <b>{label}</b>
        </a>
        <span class="sub blk">{describeRole(role)}</span>
      </span>
      {builtIn && <Badge>{texts.builtIn}</Badge>}
      {users !== null && <span class="sub num">{texts.usersOf(formatNumber(users))}</span>}
    </li>
  );
};

/** What each role may do, as a table. */
const Matrix = () => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <section class="matrix-frame mt" tabIndex={0} aria-label={texts.tabs.roles}>
    <table class="matrix">
      <caption class="vh">{texts.tabs.roles}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.permission}</th>
          {allRoles.value.map(({ name, label }) => (
            <th key={name} scope="col" dir="auto">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissions.map((permission) => (
          <tr key={permission}>
            <th scope="row">{sentences[permission]}</th>
            {allRoles.value.map(({ name, permissions: held }) => (
              <td key={name}>
                {can(held, permission) ? (
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
  </section>
);

/** All roles, and what each may do. */
export const Roles = () => (
  <div class="pad">
    <div class="row wrap">
      <p class="sub grow mt0">{texts.rolesAbout}</p>
      {may('roles:manage') && (
        <Button icon="plus" onClick={() => open('new')}>
          {texts.newRole}
        </Button>
      )}
    </div>
    {roleSource.failure.value !== undefined && (
      <Failure error={roleSource.failure.value} again={roleSource.load} />
    )}
    <ul class="records roles" aria-label={texts.roleList}>
      {allRoles.value.map((role) => (
        <RoleLine key={role.name} role={role} />
      ))}
    </ul>
    <Matrix />
  </div>
);
