import { useMemo } from 'preact/hooks';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { accountTexts } from '../../account-texts.ts';
import { tokenTexts as texts } from '../../token-texts.ts';
import { url } from './state.ts';
import { TokenCeiling, TokenChoice } from './token-choice.tsx';
import { createTokenForm, expirations } from './token-form.ts';

const close = () => url.close({ isCreating: false });

/** The form of a new API token. */
export const NewToken = () => {
  const form = useMemo(createTokenForm, []);
  const { expiration, preset, permissions } = form.values.value;
  const isMissing = preset === 'custom' && permissions.length === 0;
  return (
    <Drawer
      isNew
      title={accountTexts.createToken}
      onClose={close}
      footer={
        <FormFooter
          id="token"
          form={form}
          submit={accountTexts.createToken}
          whyDisabled={isMissing ? texts.chooseOne : undefined}
          onClose={close}
        />
      }
    >
      <EditForm id="token" form={form} of={texts.theNewToken}>
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
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
      </EditForm>
    </Drawer>
  );
};
