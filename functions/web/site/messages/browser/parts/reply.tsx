import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Segments } from '../../../../browser/components/tabs.tsx';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { hasCommandKey, withCommandKey } from '../../../../browser/shell/platform.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { getAttached, setAttached } from './attached.ts';
import { AttachButton, AttachedFiles, acceptFiles, whyNotSent } from './attachments.tsx';
import { addSent } from './conversation.ts';
import { isOnline, keepDraft, readDraft } from './drafts.ts';
import { senderName } from './participants.ts';
import { answered, everyone, replyChoice, replyToAll } from './reply-target.ts';
import { sendMessage } from './sending.ts';

/** Sends the form by the command key and Enter. */
export const sendByKey = (event: KeyboardEvent): void => {
  if (event.key !== 'Enter' || event.isComposing || !hasCommandKey(event)) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
};

const toTarget = (id: number) => {
  const one = answered.value;
  if (replyChoice.value === 'all' || !one) return { conversationId: id };
  return { conversationId: id, replyTo: one.id };
};

/** Replies to the open conversation. */
export const Reply = ({ id }: { readonly id: number }) => {
  const text = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => {
    text.value = readDraft(id).text;
    replyChoice.value = 'all';
  }, [id]);
  const set = (next: string) => {
    text.value = next;
    keepDraft(id, { text: next });
  };
  const whyDisabled = isOnline.value ? whyNotSent(id) : texts.offline;
  const send = async (event?: SubmitEvent) => {
    event?.preventDefault();
    const content = text.value.trim();
    if (isBusy.value || whyDisabled || content === '') return;
    isBusy.value = true;
    try {
      const attachments = getAttached(id).map((file) => file.id);
      const sent = await sendMessage({ ...toTarget(id), content, attachments });
      set('');
      setAttached(id, []);
      addSent(sent);
    } catch (error) {
      showFailure(texts.notSent((error as Error).message), () => send());
    }
    isBusy.value = false;
  };
  const others = everyone.value;
  const one = answered.value;
  const isToAll = replyChoice.value === 'all';
  const onlyName = others[0]?.name ?? texts.you;
  const label = (name: string) => {
    if (!isToAll && one) return texts.replyTo(senderName(one));
    return others.length > 1 ? texts.replyToMany : texts.replyTo(name);
  };
  return (
    <form class="write" onSubmit={send} {...acceptFiles(id)}>
      <textarea
        rows={2}
        dir="auto"
        required
        aria-label={label(onlyName)}
        placeholder={label(onlyName.split(' ')[0] ?? '')}
        maxLength={65_536}
        value={text.value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={sendByKey}
      />
      <AttachedFiles of={id} />
      <div>
        <AttachButton of={id} />
        {others.length > 1 && one && (
          <Segments
            label={texts.receivers}
            value={isToAll ? 'all' : 'one'}
            options={[
              { value: 'all', label: texts.everyone },
              { value: 'one', label: <span class="cut">{senderName(one)}</span> },
            ]}
            onChange={(choice) => {
              if (choice === 'all') replyToAll();
              else replyChoice.value = one;
            }}
          />
        )}
        <span class="tiny mute end hide-s">{texts.sends(withCommandKey('↵'))}</span>
        <Button type="submit" size="sm" icon="send" isBusy={isBusy.value} whyDisabled={whyDisabled}>
          {texts.send}
        </Button>
      </div>
    </form>
  );
};
