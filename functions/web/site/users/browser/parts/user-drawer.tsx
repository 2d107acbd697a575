import '../../../../browser/record-page.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { EditForm } from '../../../../browser/components/edit-form.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Failure, Notice } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm, type Form } from '../../../../browser/data/form.ts';
import { formatDay, formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { Conflict, findChanges } from '../../../../browser/record/conflict.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { may } from '../../../../browser/shell/session.ts';
import { leave } from '../../../../browser/shell/unsaved.ts';
import { usersTexts as texts } from '../../texts.ts';
import { Access } from './access.tsx';
import { listActions } from './actions.ts';
import { Activity } from './activity.tsx';
import { Invitation } from './invitation.tsx';
import { Status, Verification } from './list.tsx';
import { list, rightsOf, showUser, type User, url } from './state.ts';
import { toValues, UserFields, type UserValues, userRules } from './user-form.tsx';

const labels: Readonly<Record<keyof UserValues, string>> = {
  name: texts.name,
  email: texts.email,
  username: texts.username,
  status: texts.status,
  role: texts.role,
  permissions: texts.permissions,
};

const closeDrawer = () => url.close({ open: undefined });

const Editor = ({ user: first }: { readonly user: User }) => {
  const user = useSignal(first);
  /** The version that someone else saved meanwhile. */
  const theirs = useSignal<User | undefined>(undefined);
  const form: Form<UserValues> = useMemo(
    () =>
      createForm<UserValues>({
        initial: toValues(first),
        rules: userRules,
        send: async (values) => {
          const { id, version } = user.value;
          const { permissions, ...rest } = findChanges(values, toValues(user.value));
          try {
            const saved = await api.call('PUT /api/users/{id}', {
              params: { id },
              body: { ...rest, ...(permissions && { permissions: [...permissions] }) },
              ifMatch: version,
            });
            user.value = saved;
            form.reset(toValues(saved));
            showUser(saved);
            toast({ text: texts.changed(saved.name) });
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            theirs.value = (await error.readCurrent<User>())?.data;
            if (!theirs.value) throw error;
          }
        },
      }),
    [],
  );
  // A change from the list is shown here, too, unless something is being written.
  useEffect(() => {
    if (first.version === user.value.version || form.isChanged.value) return;
    user.value = first;
    form.reset(toValues(first));
  }, [first.version]);
  const { mayUpdate, isBelow } = rightsOf(user.value);
  const { name, lastLoginAt, emailProblem } = user.value;
  const keepMine = async () => {
    if (!theirs.value) return;
    const mine = findChanges(form.values.value, toValues(user.value));
    user.value = theirs.value;
    form.reset(toValues(theirs.value));
    form.values.value = { ...form.values.value, ...mine };
    theirs.value = undefined;
    document.querySelector<HTMLFormElement>('#user')?.requestSubmit();
  };
  const keepTheirs = () => {
    if (!theirs.value) return;
    user.value = theirs.value;
    showUser(theirs.value);
    form.reset(toValues(theirs.value));
    theirs.value = undefined;
  };
  const actions = listActions(user.value).filter(({ label }) => label !== texts.edit);
  return (
    <Drawer
      title={mayUpdate ? texts.editUser : texts.viewUser}
      onClose={closeDrawer}
      footer={
        mayUpdate && (
          <>
            <Button
              kind="primary"
              type="submit"
              form="user"
              isBusy={form.isBusy.value}
              disabled={!form.isChanged.value}
            >
              {texts.save}
            </Button>
            <Button kind="ghost" onClick={() => leave(closeDrawer)}>
              {texts.cancel}
            </Button>
            {actions.length > 0 && (
              <span class="end">
                <Menu label={texts.editUser} items={actions} isLarge />
              </span>
            )}
          </>
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
          <Status user={user.value} /> <Verification user={user.value} />
        </span>
      </div>
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
          mine={findChanges(form.values.value, toValues(user.value))}
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
      {user.value.invited && may('users:create') && isBelow && <Invitation user={user.value} />}
      {mayUpdate && <Access user={user.value} />}
      {may('audit:view') && <Activity id={user.value.id} />}
    </Drawer>
  );
};

/** Shows a user beside the list, to change it. */
export const UserDrawer = ({ id }: { readonly id: number }) => {
  const listed = list.items.value?.find((user) => user.id === id);
  const source = useMemo(
    () => createSource<User>(() => api.call('GET /api/users/{id}', { params: { id } })),
    [id],
  );
  useEffect(() => {
    if (!listed) void source.load();
  }, []);
  const user = listed ?? source.data.value;
  if (user) return <Editor user={user} />;
  const failure = source.failure.value;
  return (
    <Drawer title={texts.viewUser} onClose={closeDrawer}>
      {failure ? <Failure error={failure} again={() => source.load()} /> : <Skeleton lines={6} />}
    </Drawer>
  );
};
