import { roleLabels, roles } from '../../../../../../shared/permissions/permissions.ts';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { usersTexts as texts } from '../../texts.ts';
import { roleFilters, sorts, statusFilters, tabs, toUrl } from '../../view.ts';
import { List } from './list.tsx';
import { url, view } from './state.ts';

const searchDelayMs = 250;

const Filters = () => {
  const { role, status } = view.value;
  return (
    <>
      <select
        class="in"
        aria-label={texts.role}
        value={role}
        onChange={({ currentTarget }) => {
          const next = roleFilters.find((one) => one === currentTarget.value);
          if (next) url.change({ role: next, page: 1 });
        }}
      >
        <option value="all">{texts.anyRole}</option>
        {roles.map((one) => (
          <option key={one} value={one}>
            {roleLabels[one]}
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
const NewUser = lazily(async () => (await import('./new-user.tsx')).NewUser);
const UserDrawer = lazily(async () => (await import('./user-drawer.tsx')).UserDrawer);

const Open = () => {
  const { open } = view.value;
  if (open === undefined) return null;
  return open === 'new' ? <NewUser /> : <UserDrawer key={open} id={open} />;
};

/** All users, and what roles may do. */
export const Users = () => {
  const { tab, open } = view.value;
  const tabList = (
    <div class="top-tabs">
      <Tabs
        label={texts.title}
        tabs={tabs.map((one) => ({
          href: toUrl({ ...view.value, tab: one, open: undefined }),
          label: texts.tabs[one],
          isCurrent: one === tab,
        }))}
        onOpen={(href) =>
          url.change(
            { tab: href.includes('tab=roles') ? 'roles' : 'users', open: undefined },
            'push',
          )
        }
      />
    </div>
  );
  if (tab === 'roles') {
    return (
      <>
        {tabList}
        <Roles />
      </>
    );
  }
  return (
    <div class={open === undefined ? undefined : 'split'}>
      <div>
        {tabList}
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
        </div>
        <List />
      </div>
      <Open />
    </div>
  );
};
