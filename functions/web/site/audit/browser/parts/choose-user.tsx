import '../../../../browser/record-page.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import type { FoundPerson, PeopleSource } from '../../../../browser/people/directory.ts';
import { UserSearch } from '../../../../browser/people/user-search.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { auditTexts as texts } from '../../texts.ts';

/** All users, also those who aren’t active. */
const allUsers: PeopleSource = {
  label: texts.searchUsers,
  hint: '',
  none: texts.noUsers,
  find: async (search) => {
    const page = await api.call('GET /api/users', { query: { search, pageSize: 8 } });
    return 'items' in page ? page.items : [];
  },
};

/** Asks for a user. */
export const chooseUser = (onChoose: (user: FoundPerson) => unknown): void =>
  openDialog((close) => (
    <Dialog title={texts.chooseUser} onClose={close}>
      <UserSearch
        source={allUsers}
        hint={texts.chooseUserHint}
        onChoose={(user) => {
          if (!user) return;
          close();
          onChoose(user);
        }}
      />
      <div class="acts">
        <Button onClick={close}>{texts.cancel}</Button>
      </div>
    </Dialog>
  ));
