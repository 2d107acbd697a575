import '../../../../browser/record-page.ts';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { fieldTexts as fields } from '../../../../layout/texts.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { url } from './state.ts';
import { TokenCeiling, TokenChoice } from './token-choice.tsx';
import { createTokenForm, expirations } from './token-form.ts';

/** The form of a new API token. */
export const NewToken = () => {
  const asksPassword = useSignal(false);
  const form = useMemo(
    () =>
      createTokenForm(() => {
        asksPassword.value = true;
      }),
    [asksPassword],
  );
  const { expiration, preset, permissions } = form.values.value;
  const isMissing = preset === 'custom' && permissions.length === 0;
  const close = async () => {
    const question = {
      title: texts.discard,
      text: texts.discardText,
      action: texts.discardAction,
    };
    if (form.isChanged.value && !(await confirm(question))) return;
    url.close({ isCreating: false });
  };
  return (
    <Drawer
      title={texts.createToken}
      onClose={close}
      footer={
        <>
          <Button
            type="submit"
            form="token"
            kind="primary"
            isBusy={form.isBusy.value}
            whyDisabled={isMissing ? texts.chooseOne : undefined}
          >
            {texts.createToken}
          </Button>
          <Button kind="ghost" onClick={close}>
            {texts.cancel}
          </Button>
        </>
      }
    >
      <form id="token" method="post" noValidate onSubmit={form.submit}>
        <TextField
          form={form}
          name="name"
          label={texts.tokenName}
          hint={texts.tokenNameHint}
          autocomplete="off"
          maxLength={100}
        />
        <SelectField
          form={form}
          name="expiration"
          label={texts.expiration}
          hint={expiration === 'never' ? texts.neverHint : undefined}
          options={expirations.map((value) => ({ value, label: texts.expirations[value] }))}
        />
        {expiration === 'custom' && (
          <TextField
            form={form}
            name="expiresInDays"
            label={texts.days}
            type="number"
            min={1}
            max={3_650}
            autocomplete="off"
          />
        )}
        <TokenChoice form={form} />
        <TokenCeiling form={form} />
        {asksPassword.value && (
          <TextField
            form={form}
            name="currentPassword"
            label={fields.currentPassword}
            type="password"
            autocomplete="current-password"
          />
        )}
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
      </form>
    </Drawer>
  );
};
