import { Button } from '../../../../../browser/components/button.tsx';
import { securityTexts as texts } from '../../../security-texts.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { user } from '../state.ts';
import { useAction } from './action.ts';

/** How the user deletes the account. */
export const DeleteAccount = () => {
  const { isBusy, run } = useAction();
  const ask = async (): Promise<undefined> => {
    const { askToDeleteAccount } = await import('./delete-account-dialog.tsx');
    await askToDeleteAccount(user.data.value?.email ?? '');
  };
  return (
    <SetCard class="perilous" title={texts.deleteAccount}>
      <div class="setrow">
        <SetRow icon="trash" title={<b>{texts.deleteAfter}</b>} about={texts.deleteAbout}>
          <Button size="sm" isBusy={isBusy.value} onClick={() => run(ask)}>
            {texts.deleteAccount}
          </Button>
        </SetRow>
      </div>
    </SetCard>
  );
};
