import { useMemo } from 'preact/hooks';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { fieldTexts as fields } from '../../../../layout/texts.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { FormSection } from './form-section.tsx';
import { showUserName } from './sidebar.ts';
import { saveUser, type User, user } from './state.ts';

const toProfile = ({ name, username, phone, timezone }: User) => ({
  name,
  username,
  phone: phone ?? '',
  timezone: timezone ?? '',
});

const listZones = (own: string): readonly { readonly value: string; readonly label: string }[] => {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(own ? [own] : [])]);
  return [
    { value: '', label: texts.noTimezone },
    ...[...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ];
};

const ProfileForm = ({ initial }: { readonly initial: User }) => {
  const form = useMemo(() => {
    const created = createForm({
      initial: toProfile(initial),
      rules: {
        name: (value) => (value.trim() === '' ? texts.missing(fields.name) : undefined),
        username: (value) => (value.trim() === '' ? texts.missing(fields.username) : undefined),
      },
      send: async ({ phone, timezone, ...rest }) => {
        const saved = await saveUser({
          ...rest,
          phone: phone.trim() || null,
          timezone: timezone || null,
        });
        created.reset(toProfile(saved));
        showUserName(saved.name);
        toast({ text: texts.profileSaved });
      },
    });
    return created;
  }, []);
  const zones = useMemo(() => listZones(initial.timezone ?? ''), []);
  return (
    <FormSection title={texts.tabs.profile} form={form} submit={texts.saveProfile}>
      <div class="two">
        <TextField form={form} name="name" label={fields.name} autocomplete="name" />
        <TextField
          form={form}
          name="username"
          label={fields.username}
          autocomplete="nickname"
          isCode
        />
      </div>
      <div class="two mt">
        <TextField
          form={form}
          name="phone"
          label={texts.optional(fields.phone)}
          type="tel"
          autocomplete="tel"
        />
        <SelectField
          form={form}
          name="timezone"
          label={texts.optional(fields.timezone)}
          options={zones}
        />
      </div>
      <div class="mt">
        <a href="/notifications?open=settings">{texts.notificationSettings}</a>
      </div>
    </FormSection>
  );
};

/** Name, time zone and notifications of the user. */
export const Profile = () => (
  <Loaded source={user} lines={6}>
    {(initial) => <ProfileForm initial={initial} />}
  </Loaded>
);
