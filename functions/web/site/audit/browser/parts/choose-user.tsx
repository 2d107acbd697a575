import '../../../../browser/record-page.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { type FoundUser, UserSearch } from '../../../../browser/people/user-search.tsx';
import { auditTexts as texts } from '../../texts.ts';

/** Asks for a user. */
export const chooseUser = (onChoose: (user: FoundUser) => unknown): void =>
  openDialog((close) => (
    <Dialog title={texts.chooseUser} onClose={close}>
      <UserSearch
        label={texts.searchUsers}
        hint={texts.chooseUserHint}
        none={texts.noUsers}
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
