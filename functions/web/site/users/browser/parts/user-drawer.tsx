import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { formatDay, formatTime } from '../../../../browser/data/format.ts';
import { Conflict } from '../../../../browser/record/conflict.tsx';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { RecordDrawer } from '../../../../browser/record/record-drawer.tsx';
import { useRecordForm } from '../../../../browser/record/record-form.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { parts, toUrl } from '../../view.ts';
import { Access } from './access.tsx';
import { listActions } from './actions.ts';
import { Activity } from './activity.tsx';
import { Invitation } from './invitation.tsx';
import { Status, Verification } from './list.tsx';
import { SignIns } from './sign-ins.tsx';
import { records, rightsOf, type User, url, view } from './state.ts';
import { toValues, UserFields, type UserValues, userRules } from './user-form.tsx';

const labels: Readonly<Record<keyof UserValues, string>> = {
  name: texts.name,
  email: texts.email,
  username: texts.username,
  status: texts.status,
  role: texts.role,
  permissions: texts.permissions,
};

const closeDrawer = () => url.close({ open: undefined, part: 'details' });

const Parts = () => (
  <Tabs
    label={texts.viewUser}
    tabs={parts.map((part) => ({
      href: toUrl({ ...view.value, part }),
      label: texts.parts[part],
      isCurrent: part === view.value.part,
    }))}
    onOpen={(href) => {
      const part = parts.find((one) => href === toUrl({ ...view.value, part: one }));
      if (part) url.change({ part });
    }}
  />
);

const Editor = ({ user: current }: { readonly user: User }) => {
  const {
    record: user,
    form,
    theirs,
    findMine,
    keepMine,
    keepTheirs,
  } = useRecordForm<User, UserValues>({
    id: 'user',
    current,
    isOwn: records.isShown(current),
    rules: userRules,
    toValues,
    save: async ({ id, version }, { permissions, ...rest }) => {
      const saved = await api.call('PUT /api/users/{id}', {
        params: { id },
        body: { ...rest, ...(permissions && { permissions: [...permissions] }) },
        ifMatch: version,
      });
      toast({ text: texts.changed(saved.name) });
      return saved;
    },
    show: records.show,
  });
  const { mayUpdate, isBelow } = rightsOf(user);
  const { name, lastLoginAt, emailProblem, deletesAt } = user;
  const actions = listActions(user).filter(({ label }) => label !== texts.edit);
  const part = mayUpdate ? view.value.part : 'details';
  return (
    <Drawer
      title={mayUpdate ? texts.editUser : texts.viewUser}
      onClose={closeDrawer}
      tabs={mayUpdate && <Parts />}
      footer={
        mayUpdate &&
        part === 'details' && (
          <FormFooter id="user" form={form} submit={texts.save} isEdit onClose={closeDrawer}>
            {actions.length > 0 && <Menu label={texts.editUser} items={actions} isLarge />}
          </FormFooter>
        )
      }
    >
      <div class="person">
        <Avatar name={name} size="l" />
        <span>
          <b dir="auto">{name}</b>
          <span>
            {lastLoginAt === null
              ? texts.neverSignedIn
              : texts.lastSignedIn(formatTime(lastLoginAt))}
          </span>
        </span>
        <span class="end">
          <Status user={user} /> <Verification user={user} />
        </span>
      </div>
      {/* The form keeps what was typed while another part is shown. */}
      <div hidden={part !== 'details'}>
        {deletesAt !== null && (
          <div class="mt">
            <Notice kind="warn">{texts.leavingAbout(formatDay(deletesAt))}</Notice>
          </div>
        )}
        {emailProblem && (
          <div class="mt">
            <Notice kind="warn">
              {texts.emailProblems[emailProblem.reason](formatDay(emailProblem.since))}
            </Notice>
          </div>
        )}
        {theirs.value && (
          <Conflict
            text={texts.conflict}
            labels={labels}
            mine={findMine()}
            theirs={toValues(theirs.value)}
            keepMine={keepMine}
            keepTheirs={keepTheirs}
          />
        )}
        {!mayUpdate && (
          <p class="hint mt0">
            {texts.readOnly} {!isBelow && texts.rank}
          </p>
        )}
        <EditForm id="user" class="mt" form={form} of={name}>
          <UserFields form={form} isDisabled={!mayUpdate} />
        </EditForm>
        {user.invited && may('users:create') && isBelow && <Invitation user={user} />}
        {!mayUpdate && may('audit:view') && <Activity id={user.id} />}
      </div>
      {part === 'security' && <Access user={user} />}
      {part === 'activity' && (
        <>
          <SignIns id={user.id} />
          {may('audit:view') && <Activity id={user.id} />}
        </>
      )}
    </Drawer>
  );
};

/** Shows a user beside the list, to change it. */
export const UserDrawer = ({ id }: { readonly id: number }) => (
  <RecordDrawer
    id={id}
    records={records}
    read={() => api.call('GET /api/users/{id}', { params: { id } })}
    title={texts.viewUser}
    onClose={closeDrawer}
  >
    {(user) => <Editor user={user} />}
  </RecordDrawer>
);
