import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Segments } from '../../../../browser/components/tabs.tsx';
import { firstName } from '../../../../browser/data/format.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { hasCommandKey, withCommandKey } from '../../../../browser/shell/platform.ts';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { getAttached, setAttached } from '../attachments/attached.ts';
import {
  AttachButton,
  AttachedFiles,
  acceptFiles,
  whyNotSent,
} from '../attachments/attachments.tsx';
import { nameSome } from './audience.ts';
import { addSent, people } from './conversation.ts';
import { isOnline, keepDraft, readDraft } from './drafts.ts';
import type { Person } from './participants.ts';
import { chooseTarget, hasChoice, replyChoice, restoreTarget, target } from './reply-target.ts';
import { sendMessage } from './sending.ts';

/** Sends the form by the command key and Enter. */
export const sendByKey = (event: KeyboardEvent): void => {
  if (event.key !== 'Enter' || event.isComposing || !hasCommandKey(event)) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
};

/** Names the field by whom the reply goes to. */
const toLabel = (others: readonly Person[], show: (name: string) => string): string => {
  const choice = replyChoice.value;
  if (hasChoice.value && choice === 'all') return talkTexts.replyToMany;
  const receivers = hasChoice.value && choice !== 'all' ? choice.people : others;
  if (receivers.length === 0) return talkTexts.note;
  return talkTexts.replyTo(nameSome(receivers.map(({ name }) => show(name))));
};

/** Says whom the reply goes to, and lets the user choose: everyone, or the sender of the message that is answered. */
const Receivers = () => {
  const choice = replyChoice.value;
  const one = target.value;
  const names = people.value.map(({ name }) => firstName(name));
  return (
    <div class="reply-to">
      <Icon name={choice === 'all' ? 'replyall' : 'reply'} />
      <span class="cut" dir="auto">
        {talkTexts.to}{' '}
        {choice === 'all' ? (
          <b>{nameSome(names)}</b>
        ) : (
          <>
            <b>{nameSome(choice.people.map(({ name }) => name))}</b> {talkTexts.onlyThem}
          </>
        )}
      </span>
      {one && (
        <Segments
          label={talkTexts.receivers}
          value={choice === 'all' ? 'all' : 'one'}
          options={[
            { value: 'all', label: texts.replyAll },
            {
              value: 'one',
              label: (
                <span class="cut">{nameSome(one.people.map(({ name }) => firstName(name)))}</span>
              ),
            },
          ]}
          onChange={(next) => chooseTarget(next === 'all' ? 'all' : one)}
        />
      )}
    </div>
  );
};

/** Replies to the open conversation. */
export const Reply = ({ id }: { readonly id: number }) => {
  const text = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => {
    text.value = readDraft(id).text;
    restoreTarget(id);
  }, [id]);
  const set = (next: string) => {
    text.value = next;
    keepDraft(id, { text: next });
  };
  const whyDisabled = isOnline.value ? whyNotSent(id) : talkTexts.offline;
  const send = async (event?: SubmitEvent) => {
    event?.preventDefault();
    const content = text.value.trim();
    if (isBusy.value || whyDisabled || content === '') return;
    isBusy.value = true;
    try {
      const attachments = getAttached(id).map((file) => file.id);
      const choice = replyChoice.value;
      const replyTo = hasChoice.value && choice !== 'all' ? choice.messageId : undefined;
      const sent = await sendMessage({
        conversationId: id,
        ...(replyTo !== undefined && { replyTo }),
        content,
        attachments,
      });
      set('');
      setAttached(id, []);
      addSent(sent);
    } catch (error) {
      showFailure(talkTexts.notSent((error as Error).message), () => send());
    }
    isBusy.value = false;
  };
  const others = people.value;
  return (
    <form class="write" onSubmit={send} {...acceptFiles(id)}>
      {hasChoice.value && <Receivers />}
      <textarea
        rows={2}
        dir="auto"
        required
        aria-label={toLabel(others, (name) => name)}
        placeholder={toLabel(others, firstName)}
        maxLength={65_536}
        value={text.value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={sendByKey}
      />
      <AttachedFiles of={id} />
      <div>
        <AttachButton of={id} />
        <span class="tiny mute end hide-s">{talkTexts.sends(withCommandKey('↵'))}</span>
        <Button type="submit" size="sm" icon="send" isBusy={isBusy.value} whyDisabled={whyDisabled}>
          {texts.send}
        </Button>
      </div>
    </form>
  );
};
