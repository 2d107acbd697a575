import { useSignal } from '@preact/signals';
import { Button } from '../../../../browser/components/button.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { usersTexts as texts } from '../../texts.ts';
import { LinkField } from './link-field.tsx';
import { isMailOn } from './mail.ts';
import type { User } from './state.ts';

/** Invites a user again who has not set a password yet. */
export const Invitation = ({ user }: { readonly user: User }) => {
  const link = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const send = async () => {
    isBusy.value = true;
    try {
      const { body } = await api.send('POST /api/users/{id}/invitation', {
        params: { id: user.id },
      });
      link.value = body.link;
      if (body.link === undefined) toast({ text: texts.sent });
    } catch (error) {
      showFailure((error as Error).message, send);
    }
    isBusy.value = false;
  };
  return (
    <section aria-labelledby="invitation-title">
      <div class="row">
        <h3 id="invitation-title">{texts.invitation}</h3>
        <Button class="end" size="sm" icon="mail" isBusy={isBusy.value} onClick={send}>
          {isMailOn && !user.emailProblem ? texts.sendAgain : texts.newLink}
        </Button>
      </div>
      <p class="small sub">{texts.invitationAbout}</p>
      {link.value !== undefined && <LinkField link={link.value} />}
    </section>
  );
};
