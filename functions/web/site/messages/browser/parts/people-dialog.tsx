import { Person as PersonLine } from '../../../../browser/components/avatar.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { signedIn } from '../../../../browser/shell/session.ts';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import type { Person } from './participants.ts';

/** Lists everyone of a conversation. */
export const openPeople = (people: readonly Person[]): void =>
  openDialog((close) => (
    <Dialog title={talkTexts.people} onClose={close}>
      <ul class="people-list">
        <li>
          <PersonLine name={signedIn?.user.name ?? texts.you} about={texts.you} />
        </li>
        {people.map(({ id, name }) => (
          <li key={id}>
            <PersonLine name={name} />
          </li>
        ))}
      </ul>
      <div class="acts">
        <Button kind="primary" autofocus onClick={close}>
          {talkTexts.done}
        </Button>
      </div>
    </Dialog>
  ));
