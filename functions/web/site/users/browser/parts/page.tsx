import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { ExportMenu } from '../../../../browser/export/export-menu.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { importTexts } from '../../import-texts.ts';
import { usersTexts as texts } from '../../texts.ts';
import { sorts, statusFilters, tabs, toQuery, toUrl } from '../../view.ts';
import { List } from './list.tsx';
import { allRoles, roleSource } from './role-list.ts';
import { importing, list, url, view } from './state.ts';

const searchDelayMs = 250;

const Filters = () => {
  const { role, status } = view.value;
  return (
    <>
      <select
        class="in"
        aria-label={texts.role}
        value={role}
        onChange={({ currentTarget }) => url.change({ role: currentTarget.value, page: 1 })}
      >
        <option value="all">{texts.anyRole}</option>
        {allRoles.value.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <select
        class="in"
        aria-label={texts.status}
        value={status}
        onChange={({ currentTarget }) => {
          const next = statusFilters.find((one) => one === currentTarget.value);
          if (next) url.change({ status: next, page: 1 });
        }}
      >
        {statusFilters.map((one) => (
          <option key={one} value={one}>
            {one === 'all' ? texts.anyStatus : texts.statuses[one]}
          </option>
        ))}
      </select>
    </>
  );
};

const Roles = lazily(async () => (await import('./roles.tsx')).Roles);
const OpenRole = lazily(async () => (await import('./role-drawer.tsx')).OpenRole);
const NewUser = lazily(async () => (await import('./new-user.tsx')).NewUser);
const UserDrawer = lazily(async () => (await import('./user-drawer.tsx')).UserDrawer);

const ImportPage = lazily(async () => (await import('./importing/import-page.tsx')).ImportPage);

/** An import goes on while the list is shown. */
const Running = () => {
  const running = importing.value;
  if (!running) return null;
  const action = (
    <Button size="sm" onClick={() => url.change({ open: 'import' }, 'push')}>
      {importTexts.show}
    </Button>
  );
  return (
    <div class="running">
      <Notice action={action}>
        {importTexts.running(formatNumber(running.done), formatNumber(running.count))}
      </Notice>
    </div>
  );
};

const Waiting = () => (
  <Drawer title={texts.viewUser} onClose={() => url.close({ open: undefined })}>
    <Loaded source={roleSource} lines={6}>
      {() => null}
    </Loaded>
  </Drawer>
);

const Open = () => {
  const { open } = view.value;
  if (open === undefined) return null;
  if (open === 'import') return null;
  // What a custom role grants is needed to tell it from the extra permissions.
  if (roleSource.data.value === undefined) return <Waiting />;
  return open === 'new' ? <NewUser /> : <UserDrawer key={open} id={open} />;
};

/** All users, and what roles may do. */
export const Users = () => {
  const { tab, open, openRole } = view.value;
  if (tab === 'users' && open === 'import' && may('users:create')) return <ImportPage />;
  const tabList = (
    <div class="top-tabs">
      <Tabs
        label={texts.title}
        tabs={tabs.map((one) => ({
          href: toUrl({ ...view.value, tab: one, open: undefined, openRole: undefined }),
          label: texts.tabs[one],
          isCurrent: one === tab,
        }))}
        onOpen={(href) =>
          url.change(
            {
              tab: href.includes('tab=roles') ? 'roles' : 'users',
              open: undefined,
              openRole: undefined,
            },
            'push',
          )
        }
      />
    </div>
  );
  if (tab === 'roles') {
    return (
      <div class={openRole === undefined ? undefined : 'split'}>
        <div>
          {tabList}
          <Roles />
        </div>
        {openRole !== undefined && <OpenRole key={openRole} name={openRole} />}
      </div>
    );
  }
  return (
    <div class={open === undefined || open === 'import' ? undefined : 'split'}>
      <div>
        {tabList}
        <Running />
        <div class="tools">
          <SearchField
            label={texts.search}
            value={view.value.search}
            delayMs={searchDelayMs}
            onInput={(search) => url.change({ search, page: 1 })}
          />
          <Filters />
          <SortMenu
            sorts={sorts}
            value={view.value.sort}
            onChange={(sort) => url.change({ sort, page: 1 })}
          />
          {may('users:export') && (
            <ExportMenu
              path="/api/users/export"
              getQuery={() => toQuery(view.value)}
              total={list.total.value}
            />
          )}
        </div>
        <List />
      </div>
      <Open />
    </div>
  );
};
