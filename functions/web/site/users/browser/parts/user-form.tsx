import type { ComponentChildren } from 'preact';
import {
  permissions as allPermissions,
  covers,
  type Permission,
} from '../../../../../../shared/permissions/permissions.ts';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { expandPermissions } from '../../../../browser/people/entries.ts';
import { PermissionGrid } from '../../../../browser/people/permission-grid.tsx';
import { signedIn } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { allRoles, describeRole, grantsOf } from './role-list.ts';
import { mayGive, type User } from './state.ts';

/** What the form of a user changes. */
export interface UserValues {
  readonly name: string;
  readonly email: string;
  readonly username: string;
  readonly status: User['status'];
  readonly role: string;
  /** Those beside the role’s, sorted. */
  readonly permissions: readonly string[];
}

/** Returns what a form shows of a user. */
export const toValues = (user: User): UserValues => ({
  name: user.name,
  email: user.email,
  username: user.username,
  status: user.status,
  role: user.role,
  permissions: user.permissions.filter((entry) => !covers(grantsOf(user.role), entry)).toSorted(),
});

const isEmpty = (value: string) => (value.trim() === '' ? texts.required : undefined);

/** The rules of a user’s fields. */
export const userRules = { name: isEmpty, email: isEmpty, username: isEmpty };

const statuses = ['active', 'inactive', 'suspended'] as const;

const Roles = ({
  form,
  isDisabled,
}: {
  readonly form: Form<UserValues>;
  readonly isDisabled: boolean;
}) => (
  <fieldset class="field">
    <legend>{texts.role}</legend>
    <div class="radio-cards">
      {allRoles.value.map((one) => {
        const { name: role, label, builtIn } = one;
        const isTooHigh = !mayGive(role);
        const why = builtIn ? texts.roleTooHigh : texts.roleBeyondYours;
        return (
          <label key={role} title={isTooHigh ? why : undefined}>
            <input
              type="radio"
              name="role"
              checked={form.values.value.role === role}
              disabled={isDisabled || isTooHigh}
              onChange={() => form.set('role', role)}
            />
            <bdi>{label}</bdi>
            <span>{describeRole(one)}</span>
          </label>
        );
      })}
    </div>
  </fieldset>
);

const none: ReadonlySet<Permission> = new Set();

const Permissions = ({
  form,
  isDisabled,
}: {
  readonly form: Form<UserValues>;
  readonly isDisabled: boolean;
}) => {
  const { role, permissions } = form.values.value;
  const own = expandPermissions(signedIn?.permissions ?? []);
  return (
    <fieldset class="field">
      <legend>{texts.permissions}</legend>
      <PermissionGrid
        all={allPermissions}
        granted={expandPermissions(permissions)}
        fixed={expandPermissions(grantsOf(role))}
        grantable={isDisabled ? none : own}
        onChange={(granted) => form.set('permissions', [...granted].toSorted())}
      />
    </fieldset>
  );
};

interface UserFieldsProps {
  readonly form: Form<UserValues>;
  /** Whether they can only be read. */
  readonly isDisabled?: boolean;
  /** Whether a username can be chosen: a new user gets one. */
  readonly hasUsername?: boolean;
  readonly children?: ComponentChildren;
}

/** The fields of a user. */
export const UserFields = ({
  form,
  isDisabled = false,
  hasUsername = true,
  children,
}: UserFieldsProps) => (
  <>
    <div class="two">
      <TextField form={form} name="name" label={texts.name} maxLength={100} disabled={isDisabled} />
      <SelectField
        form={form}
        name="status"
        label={texts.status}
        disabled={isDisabled}
        options={statuses.map((value) => ({ value, label: texts.statuses[value] }))}
      />
    </div>
    <TextField
      form={form}
      name="email"
      type="email"
      label={texts.email}
      maxLength={254}
      disabled={isDisabled}
      autocomplete="off"
    />
    {hasUsername && (
      <TextField
        form={form}
        name="username"
        label={texts.username}
        maxLength={64}
        disabled={isDisabled}
        autocomplete="off"
      />
    )}
    {children}
    <Roles form={form} isDisabled={isDisabled} />
    <Permissions form={form} isDisabled={isDisabled} />
    {form.failure.value !== undefined && <Notice kind="bad">{form.failure.value}</Notice>}
  </>
);
