import { Person } from '../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Pager } from '../../../../browser/components/pager.tsx';
import { BulkBar, type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatDay } from '../../../../browser/data/format.ts';
import { toOrder, toSort } from '../../../../browser/data/sort-order.ts';
import { may } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { isFiltered, sorts, toUrl } from '../../view.ts';
import { change, listActions, removeAll } from './actions.ts';
import { allRoles, labelOf } from './role-list.ts';
import { list, mayGive, pageSize, rightsOf, selection, type User, url, view } from './state.ts';

const kinds = { active: 'ok', inactive: undefined, suspended: 'bad' } as const;

/** Whether users are asked to verify their addresses. */
const asksToVerify = document.getElementById('users')?.dataset['verification'] === 'on';

/** Whether the address was proven to be the user's. Says nothing about who hasn't accepted an invitation yet. */
export const Verification = ({ user }: { readonly user: User }) => {
  if (!asksToVerify || user.invited) return null;
  return user.emailVerified ? (
    <Badge kind="ok">{texts.verified}</Badge>
  ) : (
    <Badge kind="warn">{texts.notVerified}</Badge>
  );
};

/** The status of a user: invited, until they have set a password, and leaving, while the account waits to be deleted. */
export const Status = ({ user }: { readonly user: User }) => {
  const { status, invited, deletesAt } = user;
  const isInvited = status === 'active' && invited;
  if (status === 'active' && deletesAt !== null) {
    return (
      <Badge kind="warn" hasDot>
        {texts.leaving}
      </Badge>
    );
  }
  return (
    <Badge kind={isInvited ? 'warn' : kinds[status]} hasDot>
      {isInvited ? texts.invited : texts.statuses[status]}
    </Badge>
  );
};

const open = (user: User) =>
  url.change({ open: user.id }, view.value.open === undefined ? 'push' : 'replace');

const columns: readonly Column<User>[] = [
  {
    id: 'name',
    title: texts.columns.name,
    isMain: true,
    sorts: 'ascending',
    cell: (user) => (
      <Person
        name={user.name}
        about={user.email}
        href={toUrl({ ...view.value, open: user.id })}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          open(user);
        }}
      />
    ),
  },
  {
    id: 'role',
    title: texts.columns.role,
    class: 'hide-d',
    cell: ({ role }) => <Badge>{labelOf(role)}</Badge>,
  },
  {
    id: 'status',
    title: texts.columns.status,
    class: 'status',
    cell: (user) => (
      <span class="row wrap">
        <Status user={user} />
        {!user.emailVerified && <Verification user={user} />}
        {user.emailProblem && <Badge kind="warn">{texts.noEmail}</Badge>}
      </span>
    ),
  },
  {
    id: 'createdAt',
    title: texts.columns.joined,
    sorts: 'descending',
    class: 'sub num',
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

const natural = { name: 'ascending', createdAt: 'descending' } as const;

const getSelected = (): readonly User[] =>
  (list.items.value ?? []).filter(({ id }) => selection.value.has(id));

const Bulk = () => {
  const users = getSelected();
  const updatable = users.filter((user) => rightsOf(user).mayUpdate);
  const givable = allRoles.value.filter(({ name }) => mayGive(name));
  return (
    <BulkBar selection={selection}>
      {may('users:update') && (
        <>
          <Menu
            label={texts.changeRole}
            icon="shield"
            items={givable.map(({ name: role, label }) => ({
              label,
              icon: 'shield',
              run: () => change(updatable, { role }),
            }))}
          />
          <Button
            kind="ghost"
            size="sm"
            icon="check"
            onClick={() => change(updatable, { status: 'active' })}
          >
            {texts.activate}
          </Button>
          <Button
            kind="ghost"
            size="sm"
            icon="lock"
            onClick={() => change(updatable, { status: 'suspended' })}
          >
            {texts.suspend}
          </Button>
        </>
      )}
      {may('users:delete') && (
        <Button
          kind="ghost"
          size="sm"
          icon="trash"
          onClick={() => removeAll(users.filter((user) => rightsOf(user).mayDelete))}
        >
          {texts.delete}
        </Button>
      )}
    </BulkBar>
  );
};

const clear = () => url.change({ search: '', role: 'all', status: 'all', page: 1 });

const Nothing = () =>
  isFiltered(view.value) || view.value.page > 1 ? (
    <NoResults text={texts.noMatch} clear={clear} />
  ) : (
    <Empty title={texts.none} />
  );

/** The users that match the filters, a page at a time. */
export const List = () => {
  const maySelect = may('users:update') || may('users:delete');
  return (
    <ListFrame
      list={list}
      again={() => list.load(view.value.page)}
      hasAvatars
      empty={() => <Nothing />}
    >
      {(rows) => (
        <>
          <Table
            caption={texts.title}
            columns={columns}
            rows={rows}
            getKey={({ id }) => id}
            getName={({ name }) => name}
            order={toOrder(view.value.sort, natural)}
            onOrder={(order) => {
              const sort = toSort(order, natural, sorts);
              if (sort) url.change({ sort, page: 1 });
            }}
            {...(maySelect && { selection })}
            onOpen={open}
            openKey={typeof view.value.open === 'number' ? view.value.open : undefined}
            actions={listActions}
          />
          <Pager list={list} pageSize={pageSize} onPage={(page) => url.change({ page }, 'push')} />
          <Bulk />
        </>
      )}
    </ListFrame>
  );
};
