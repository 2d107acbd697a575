import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { SwitchField, TextField } from '../../../../browser/components/field.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { fieldTexts as fields } from '../../../../layout/texts.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { FormSection } from './form-section.tsx';
import { created, user } from './state.ts';

const initial = { currentPassword: '', password: '', confirmPassword: '', endsTokens: false };

const minLength = 6;

/** The password of the user. */
export const Security = () => {
  const isShown = useSignal(false);
  const form = useMemo(() => {
    const state = createForm({
      initial,
      rules: {
        currentPassword: (value) =>
          value === '' ? texts.missing(fields.currentPassword) : undefined,
        password: (value) => (value.length < minLength ? texts.tooShort : undefined),
        confirmPassword: (value, { password }) => (value === password ? undefined : texts.mismatch),
      },
      send: async ({ endsTokens, ...passwords }) => {
        await api.call('PUT /api/auth/password', {
          body: { ...passwords, ...(endsTokens && { scope: 'all' }) },
        });
        state.reset(initial);
        isShown.value = false;
        if (endsTokens) created.value = undefined;
        toast({ text: endsTokens ? texts.passwordChangedTokens : texts.passwordChanged });
        await user.load();
      },
    });
    return state;
  }, []);
  const type = isShown.value ? 'text' : 'password';
  return (
    <FormSection
      title={texts.password}
      about={texts.passwordAbout}
      form={form}
      submit={texts.changePassword}
      isPrimary
      beside={
        <Button
          kind="ghost"
          aria-pressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          {fields.showPassword}
        </Button>
      }
    >
      {/* Tells password managers whose password it is. */}
      <input
        name="username"
        type="text"
        autocomplete="username"
        value={user.data.value?.email ?? signedIn?.user.email ?? ''}
        readOnly
        hidden
      />
      <TextField
        form={form}
        name="currentPassword"
        label={fields.currentPassword}
        type={type}
        autocomplete="current-password"
      />
      <div class="two">
        <TextField
          form={form}
          name="password"
          label={fields.newPassword}
          type={type}
          autocomplete="new-password"
          hint={fields.passwordHint}
        />
        <TextField
          form={form}
          name="confirmPassword"
          label={fields.samePassword}
          type={type}
          autocomplete="new-password"
        />
      </div>
      <div class="mt0">
        <SwitchField
          form={form}
          name="endsTokens"
          label={texts.endTokens}
          hint={texts.endTokensHint}
        />
      </div>
    </FormSection>
  );
};
