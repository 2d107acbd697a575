import { useMemo } from 'preact/hooks';
import { covers, type Permission } from '../../../../../../shared/permissions/permissions.ts';
import { outranks } from '../../../../../../shared/permissions/roles.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { TextField } from '../../../../browser/components/field.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm, type Form } from '../../../../browser/data/form.ts';
import { formatNumber } from '../../../../browser/data/format.ts';
import { expandPermissions } from '../../../../browser/people/entries.ts';
import { Conflict } from '../../../../browser/record/conflict.tsx';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { useRecordForm } from '../../../../browser/record/record-form.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { allRoles, customRoles, type Role, roleSource, showRole } from './role-list.ts';
import { RolePermissions } from './role-permissions.tsx';
import { url } from './state.ts';

/** What the form of a role changes. */
interface RoleValues {
  readonly label: string;
  /** Each by itself, without wildcards. */
  readonly permissions: readonly Permission[];
}

interface NewRoleValues extends RoleValues {
  readonly name: string;
}

const own = signedIn?.permissions ?? [];

const close = () => url.close({ openRole: undefined });

const toValues = ({ label, permissions }: Role): RoleValues => ({
  label,
  permissions: [...expandPermissions(permissions)],
});

const isEmpty = (value: string) => (value.trim() === '' ? texts.required : undefined);

const rules = { label: isEmpty };

/** Returns the name that follows from a label: "Front desk" is `front-desk`. */
const toName = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 32);

interface RoleFieldsProps {
  readonly form: Form<RoleValues>;
  readonly isDisabled?: boolean;
}

const RoleFields = ({ form, isDisabled = false }: RoleFieldsProps) => (
  <>
    <TextField form={form} name="label" label={texts.label} maxLength={40} disabled={isDisabled} />
    <fieldset class="field">
      <legend>{texts.rolePermissions}</legend>
      <RolePermissions
        granted={new Set(form.values.value.permissions)}
        grantable={isDisabled ? new Set() : expandPermissions(own)}
        onChange={(granted) => form.set('permissions', [...granted])}
      />
    </fieldset>
    {form.failure.value !== undefined && <Notice kind="bad">{form.failure.value}</Notice>}
  </>
);

/** Asks, and deletes a role that nobody has. */
const remove = async ({ name, label, version }: Role): Promise<void> => {
  const question = {
    title: texts.deleteRoleTitle(label),
    text: texts.deleteRoleText,
    action: texts.deleteRole,
  };
  if (!(await confirm(question))) return;
  try {
    await api.call('DELETE /api/roles/{name}', {
      params: { name },
      ...(version !== null && { ifMatch: version }),
    });
    roleSource.data.value = allRoles.value.filter((role) => role.name !== name);
    close();
    toast({ text: texts.roleDeleted(label) });
  } catch (error) {
    await roleSource.load();
    showFailure((error as Error).message);
  }
};

/** Says why the user can’t change a role; `undefined` if they can. */
const explain = ({ name, builtIn, permissions }: Role): string | undefined => {
  if (builtIn) return texts.roleFixed;
  if (!may('roles:manage')) return texts.roleReadOnly;
  const isBelow =
    outranks(signedIn?.user.role ?? 'guest', name, customRoles.value) &&
    permissions.every((entry) => covers(own, entry));
  return isBelow ? undefined : texts.roleBeyond;
};

type VersionedRole = Role & { readonly version: number };

const Editor = ({ role: current }: { readonly role: VersionedRole }) => {
  const { record, form, theirs, findMine, keepMine, keepTheirs } = useRecordForm<
    VersionedRole,
    RoleValues
  >({
    id: 'role',
    current,
    rules,
    toValues,
    save: async ({ name, version }, { permissions, ...rest }) => {
      const saved = await api.call('PUT /api/roles/{name}', {
        params: { name },
        body: { ...rest, ...(permissions && { permissions: [...permissions] }) },
        ifMatch: version,
      });
      toast({ text: texts.roleSaved(saved.label) });
      return saved as VersionedRole;
    },
    show: showRole,
  });
  const count = formatNumber(current.users ?? 0);
  const isUsed = current.users !== null && current.users > 0;
  return (
    <Drawer
      title={texts.editRole}
      onClose={close}
      footer={
        <FormFooter id="role" form={form} submit={texts.save} isEdit onClose={close}>
          <Button
            kind="ghost"
            icon="trash"
            label={texts.deleteRole}
            whyDisabled={isUsed ? texts.roleInUse(count) : undefined}
            onClick={() => remove(record)}
          />
        </FormFooter>
      }
    >
      {isUsed && <p class="hint mt0">{texts.roleAtOnce(count)}</p>}
      {theirs.value && (
        <Conflict
          text={texts.roleConflict}
          labels={{ label: texts.label, permissions: texts.rolePermissions }}
          mine={findMine()}
          theirs={toValues(theirs.value)}
          keepMine={keepMine}
          keepTheirs={keepTheirs}
        />
      )}
      <EditForm id="role" form={form} of={current.label}>
        <RoleFields form={form} />
      </EditForm>
    </Drawer>
  );
};

const ReadOnly = ({ role, why }: { readonly role: Role; readonly why: string }) => {
  const form = useMemo(
    () => createForm<RoleValues>({ initial: toValues(role), send: async () => undefined }),
    [role],
  );
  return (
    <Drawer title={texts.viewRole} onClose={close}>
      <p class="hint mt0">{why}</p>
      <RoleFields form={form} isDisabled />
    </Drawer>
  );
};

const NewRole = () => {
  const form = useMemo(
    () =>
      createForm<NewRoleValues>({
        initial: { label: '', name: '', permissions: [] },
        rules: {
          ...rules,
          name: (name, { label }) =>
            /^[a-z][a-z0-9_-]{1,31}$/.test(name || toName(label)) ? undefined : texts.roleNameWrong,
        },
        send: async ({ label, name, permissions }) => {
          const body = { label, name: name || toName(label), permissions: [...permissions] };
          await api.call('POST /api/roles', { body });
          form.reset({ label: '', name: '', permissions: [] });
          toast({ text: texts.roleCreated(label) });
          close();
          await roleSource.load();
        },
      }),
    [],
  );
  return (
    <Drawer
      isNew
      title={texts.newRole}
      onClose={close}
      footer={<FormFooter id="new-role" form={form} submit={texts.create} onClose={close} />}
    >
      <EditForm id="new-role" form={form} of={form.values.value.label || texts.newRole}>
        {/* It has all fields of a role, and the name. */}
        <RoleFields form={form as unknown as Form<RoleValues>} />
        <TextField
          form={form}
          name="name"
          label={texts.roleName}
          hint={texts.roleNameHint}
          maxLength={32}
          isCode
          autocomplete="off"
        />
      </EditForm>
    </Drawer>
  );
};

/** Shows a role beside the list, to change it, or the form of a new one. */
export const OpenRole = ({ name }: { readonly name: string }) => {
  const role = allRoles.value.find((one) => one.name === name);
  if (name === 'new' && may('roles:manage')) return <NewRole />;
  if (!role) {
    return (
      <Drawer title={texts.viewRole} onClose={close}>
        <Loaded source={roleSource} lines={6}>
          {() => <p>{texts.deletedRole}</p>}
        </Loaded>
      </Drawer>
    );
  }
  const why = explain(role);
  return why === undefined && role.version !== null ? (
    <Editor role={role as VersionedRole} />
  ) : (
    <ReadOnly role={role} why={why ?? texts.roleFixed} />
  );
};
