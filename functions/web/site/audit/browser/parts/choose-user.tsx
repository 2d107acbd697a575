import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { type FoundPerson, most, type PeopleSource } from '../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../browser/people/person-search.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { auditTexts as texts } from '../../texts.ts';

/** All users, also those who aren’t active. */
const allUsers: PeopleSource = {
  placeholder: texts.nameOrEmail,
  hint: '',
  none: () => texts.noUsers,
  isEnough: () => true,
  find: async (search) => {
    const page = await api.call('GET /api/users', { query: { search, pageSize: most } });
    return 'items' in page ? page.items : [];
  },
};

/** Asks for a user. */
export const chooseUser = (onChoose: (user: FoundPerson) => unknown): void =>
  openDialog((close) => (
    <Dialog title={texts.chooseUser} onClose={close}>
      <PersonSearch
        source={allUsers}
        label={texts.user}
        room={1}
        onAdd={([user]) => {
          close();
          if (user) onChoose(user);
        }}
      />
      <div class="acts">
        <Button onClick={close}>{texts.cancel}</Button>
      </div>
    </Dialog>
  ));
