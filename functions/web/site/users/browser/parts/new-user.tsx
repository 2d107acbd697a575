import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { TextField } from '../../../../browser/components/field.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm, type Form } from '../../../../browser/data/form.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { usersTexts as texts } from '../../texts.ts';
import { LinkField } from './link-field.tsx';
import { isMailOn } from './mail.ts';
import { list, url } from './state.ts';
import { UserFields, type UserValues, userRules } from './user-form.tsx';

interface NewUserValues extends UserValues {
  /** Empty invites the user. */
  readonly password: string;
}

const initial: NewUserValues = {
  name: '',
  email: '',
  username: '',
  status: 'active',
  role: 'user',
  permissions: [],
  password: '',
};

const closeDrawer = () => url.close({ open: undefined });

/** The form that creates a user, or invites one: without a password. */
export const NewUser = () => {
  const link = useSignal<string | undefined>(undefined);
  const form = useMemo(
    () =>
      createForm<NewUserValues>({
        initial,
        rules: { name: userRules.name, email: userRules.email },
        send: async ({ name, email, status, role, permissions, password }) => {
          const { body } = await api.send('POST /api/users', {
            body: {
              name,
              email,
              status,
              role,
              ...(permissions.length > 0 && { permissions: [...permissions] }),
              ...(password !== '' && { password }),
            },
          });
          form.reset(initial);
          void list.load(1);
          link.value = body.link;
          if (body.link !== undefined) return;
          toast({ text: password === '' ? texts.createdInvited(name) : texts.created(name) });
          closeDrawer();
        },
      }),
    [],
  );
  const willInvite = form.values.value.password === '';
  return (
    <Drawer
      isNew
      title={texts.newUser}
      onClose={closeDrawer}
      footer={
        <FormFooter
          id="new"
          form={form}
          submit={willInvite && isMailOn ? texts.invite : texts.create}
          onClose={closeDrawer}
        />
      }
    >
      {link.value !== undefined && <LinkField link={link.value} />}
      <EditForm id="new" form={form} of={form.values.value.name || texts.newUser}>
        {/* It has all fields of a user, and the password. */}
        <UserFields form={form as unknown as Form<UserValues>} hasUsername={false}>
          <TextField
            form={form}
            name="password"
            type="password"
            label={texts.password}
            hint={isMailOn ? texts.passwordHint : texts.passwordHintNoMail}
            autocomplete="new-password"
          />
        </UserFields>
      </EditForm>
    </Drawer>
  );
};
