import { signal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { ApiError } from '../../../functions/web/browser/client/api-error.ts';
import { Avatar, Person } from '../../../functions/web/browser/components/avatar.tsx';
import { Badge } from '../../../functions/web/browser/components/badge.tsx';
import { Button } from '../../../functions/web/browser/components/button.tsx';
import { confirm, Dialog } from '../../../functions/web/browser/components/dialog.tsx';
import { Drawer } from '../../../functions/web/browser/components/drawer.tsx';
import { Empty, NoResults } from '../../../functions/web/browser/components/empty.tsx';
import {
  SelectField,
  SwitchField,
  TextArea,
  TextField,
} from '../../../functions/web/browser/components/field.tsx';
import { Menu } from '../../../functions/web/browser/components/menu.tsx';
import { Failure, Notice } from '../../../functions/web/browser/components/notice.tsx';
import { Pager } from '../../../functions/web/browser/components/pager.tsx';
import { SearchField } from '../../../functions/web/browser/components/search-field.tsx';
import { Skeleton } from '../../../functions/web/browser/components/skeleton.tsx';
import { BulkBar, type RowKey, Table } from '../../../functions/web/browser/components/table.tsx';
import { Segments, Tabs } from '../../../functions/web/browser/components/tabs.tsx';
import { toast } from '../../../functions/web/browser/components/toast.tsx';
import { createForm } from '../../../functions/web/browser/data/form.ts';
import { createPagedList } from '../../../functions/web/browser/data/paged-list.ts';
import type { Order } from '../../../functions/web/browser/data/sort-order.ts';
import { doUndoably } from '../../../functions/web/browser/data/undoable.ts';

// All components in all states, for tests. Nothing of it is deployed.

const log = signal('');

const Part = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
    </header>
    <div class="in-card">{children}</div>
  </section>
);

const Buttons = () => (
  <Part title="Buttons">
    <div class="row wrap">
      <Button kind="primary">Primary</Button>
      <Button icon="plus">Secondary</Button>
      <Button kind="ghost">Ghost</Button>
      <Button kind="danger">Danger</Button>
      <Button isBusy onClick={() => (log.value = 'busy pressed')}>
        Busy
      </Button>
      <Button
        whyDisabled="You lack the permission"
        onClick={() => (log.value = 'disabled pressed')}
      >
        Disabled
      </Button>
      <Button kind="ghost" icon="trash" label="Only an icon" />
      <Button size="sm">Small</Button>
      <Button size="lg">Large</Button>
    </div>
  </Part>
);

const Badges = () => (
  <Part title="Badges and avatars">
    <div class="row wrap">
      <Badge>Plain</Badge>
      <Badge kind="ok" hasDot>
        Active
      </Badge>
      <Badge kind="warn" hasDot>
        Invited
      </Badge>
      <Badge kind="bad" hasDot>
        Suspended
      </Badge>
      <Badge kind="info" icon="lock">
        Password
      </Badge>
      <Avatar name="Lena Brandt" size="s" />
      <Avatar name="Jonas Okafor" />
      <Avatar name="Ana Vidal" size="l" />
      <Person name="Konstantinos Papadimitriou-Nikolaidis" about="k@example.com" />
    </div>
  </Part>
);

const tab = signal('/profile');
const segment = signal<'all' | 'mine'>('all');

const Choices = () => (
  <Part title="Tabs and segments">
    <Tabs
      label="Account"
      tabs={['/profile', '/sessions'].map((href) => ({
        href,
        label: href.slice(1),
        count: href === '/sessions' ? 2 : undefined,
        isCurrent: href === tab.value,
      }))}
      onOpen={(href) => (tab.value = href)}
    />
    <p class="mt0">
      <Segments
        label="Whose"
        options={[
          { value: 'all', label: 'All' },
          { value: 'mine', label: 'Mine' },
        ]}
        value={segment.value}
        onChange={(next) => (segment.value = next)}
      />
    </p>
  </Part>
);

const form = createForm({
  initial: { name: '', email: '', role: 'user', about: '', isMailed: true },
  rules: { name: (value) => (value === '' ? 'Name is required.' : undefined) },
  send: async ({ email }) => {
    if (!email.includes('@')) {
      throw new ApiError(400, 'Invalid', {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'email', message: 'must be an email address' }],
      });
    }
    if (email === 'taken@example.com') throw new ApiError(409, 'Taken.', { code: 'CONFLICT' });
    log.value = 'sent';
  },
});

const Fields = () => (
  <Part title="Fields">
    <form noValidate onSubmit={form.submit} aria-label="Fields">
      <div class="two">
        <TextField form={form} name="name" label="Name" />
        <TextField form={form} name="email" label="Email" type="email" hint="Used to sign in." />
      </div>
      <SelectField
        form={form}
        name="role"
        label="Role"
        options={[
          { value: 'user', label: 'User' },
          { value: 'admin', label: 'Admin' },
        ]}
      />
      <TextArea form={form} name="about" label="About" />
      <SwitchField form={form} name="isMailed" label="Mail me" hint="What I missed." />
      {form.failure.value !== undefined && <Notice kind="bad">{form.failure.value}</Notice>}
      <Button type="submit" kind="primary" isBusy={form.isBusy.value}>
        Save
      </Button>
    </form>
    <p class="mt0">
      <SearchField label="Search" value="" onInput={(value) => (log.value = value)} />
    </p>
  </Part>
);

const limited = new ApiError(429, 'Too many requests.', {
  code: 'RATE_LIMITED',
  retryAfterMs: 60_000,
});

const Messages = () => (
  <Part title="Messages">
    <div class="stack tg">
      <Notice>You’re offline.</Notice>
      <Notice kind="warn">It changed.</Notice>
      <Failure error={new Error('It can’t be loaded.')} again={() => (log.value = 'again')} />
      <Failure error={limited} again={() => (log.value = 'too early')} />
      <Skeleton lines={2} hasAvatars />
    </div>
    <Empty
      title="Nothing yet"
      text="Create something."
      action={<Button kind="primary">Create</Button>}
    />
    <NoResults text="Nothing matches." clear={() => (log.value = 'cleared')} />
  </Part>
);

interface Row {
  readonly id: number;
  readonly name: string;
}

const selection = signal<ReadonlySet<RowKey>>(new Set());
const order = signal<Order>({ by: 'name', direction: 'ascending' });
const open = signal<Row | undefined>(undefined);
const list = createPagedList<Row>(async (start) => {
  const page = 'page' in start ? start.page : Number(start.cursor);
  const items = [1, 2, 3].map((at) => ({ id: page * 10 + at, name: `Row ${page}.${at}` }));
  return { items, total: 9, nextCursor: page < 3 ? String(page + 1) : null };
});
void list.load();

const Records = () => (
  <div class={open.value ? 'split' : ''}>
    <div>
      <Table
        caption="Rows"
        columns={[
          {
            id: 'name',
            title: 'Name',
            isMain: true,
            sorts: 'ascending',
            cell: (row) => (
              <Person
                name={row.name}
                about="A row"
                href={`#${row.id}`}
                onClick={(event) => {
                  event.preventDefault();
                  open.value = row;
                }}
              />
            ),
          },
          { id: 'number', title: 'Number', class: 'num', cell: ({ id }) => id },
        ]}
        rows={list.items.value ?? []}
        getKey={({ id }) => id}
        getName={({ name }) => name}
        order={order.value}
        onOrder={(next) => (order.value = next)}
        selection={selection}
        onOpen={(row) => (open.value = row)}
        openKey={open.value?.id}
        actions={({ name }) => [
          { label: 'Edit', icon: 'pen', shortcut: 'E', run: () => (log.value = `edit ${name}`) },
          { label: 'Copy', icon: 'copy', run: () => (log.value = `copy ${name}`) },
          { label: 'Delete', icon: 'trash', isBad: true, startsGroup: true },
        ]}
      />
      <Pager list={list} pageSize={3} onPage={(page) => list.load(page)} />
      <BulkBar selection={selection}>
        <Button kind="ghost" size="sm" icon="trash">
          Delete
        </Button>
      </BulkBar>
    </div>
    {open.value && (
      <Drawer
        title={open.value.name}
        footer={<Button kind="primary">Save</Button>}
        onClose={() => (open.value = undefined)}
      >
        <p>Its details.</p>
        <Menu label="More" items={[{ label: 'Act', icon: 'check' }]} />
      </Drawer>
    )}
  </div>
);

const isDialogOpen = signal(false);

const Overlays = () => (
  <Part title="Overlays">
    <div class="row wrap">
      <Button onClick={() => (isDialogOpen.value = true)}>Open dialog</Button>
      <Button
        onClick={async () => {
          const isAgreed = await confirm({
            title: 'Delete 3 rows?',
            text: 'Gone.',
            action: 'Delete',
          });
          log.value = isAgreed ? 'agreed' : 'refused';
        }}
      >
        Ask
      </Button>
      <Button onClick={() => toast({ text: 'Done' })}>Toast</Button>
      <Button
        onClick={() =>
          doUndoably({
            text: 'Row deleted',
            commit: async () => {
              log.value = 'committed';
            },
            putBack: () => (log.value = 'put back'),
            describeFailure: ({ message }) => message,
          })
        }
      >
        Do undoably
      </Button>
    </div>
    {isDialogOpen.value && (
      <Dialog title="A dialog" onClose={() => (isDialogOpen.value = false)}>
        <div class="acts">
          <Button onClick={() => (isDialogOpen.value = false)}>Close it</Button>
        </div>
      </Dialog>
    )}
  </Part>
);

const Page = () => (
  <>
    <h1>Components</h1>
    <p id="log" role="status">
      {log.value}
    </p>
    <Records />
    <div class="stack tg">
      <Buttons />
      <Badges />
      <Choices />
      <Fields />
      <Messages />
      <Overlays />
    </div>
  </>
);

render(<Page />, document.querySelector('main') as HTMLElement);
