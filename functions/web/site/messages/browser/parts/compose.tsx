import { useEffect, useRef } from 'preact/hooks';
import { containsWords } from '../../../../../../shared/text/fold.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { TextArea, TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import {
  directory,
  type FoundPerson,
  isYourself,
  mode,
  type PeopleSource,
} from '../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../browser/people/person-search.tsx';
import { hasCommandKey, withCommandKey } from '../../../../browser/shell/platform.ts';
import { guardWork } from '../../../../browser/shell/unsaved.ts';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { getAttached, setAttached } from '../attachments/attached.ts';
import {
  AttachButton,
  AttachedFiles,
  acceptFiles,
  whyNotSent,
} from '../attachments/attachments.tsx';
import { Back } from './back.tsx';
import { list, loadNew } from './conversations.ts';
import { type Draft, isOnline, keepDraft, noFields, readDraft } from './drafts.ts';
import type { Person } from './participants.ts';
import { sendMessage } from './sending.ts';
import { url } from './url.ts';

/** The service sends a message to no more. */
const maxReceivers = 50;

const isEmpty = (text: string): boolean => text.trim() === '';

type Fields = Omit<Draft, 'files' | 'replyTo'>;

const form = createForm<Fields>({
  initial: noFields,
  rules: {
    to: (people) => (people.length === 0 ? talkTexts.needsReceiver : undefined),
    text: (text) => (isEmpty(text) ? talkTexts.required : undefined),
  },
  send: async ({ to, subject, text }) => {
    const sent = await sendMessage({
      recipients: to.map(({ id }) => id),
      ...(!isEmpty(subject) && { subject: subject.trim() }),
      content: text.trim(),
      attachments: getAttached('new').map(({ id }) => id),
    });
    discard();
    toast({ text: talkTexts.sent });
    url.change({ open: sent.conversationId, at: undefined, isNew: false });
    void loadNew();
  },
});

const discard = () => {
  form.reset(noFields);
  setAttached('new', []);
};

const { to, subject, text } = readDraft('new');
form.values.value = { to, subject, text };
form.values.subscribe((draft) => keepDraft('new', draft));

/** Finds people of the user’s conversations by name. */
const findKnown = (text: string): readonly FoundPerson[] => {
  const known = new Map<number, Person>();
  for (const { people } of list.items.value ?? []) {
    for (const person of people) known.set(person.id, person);
  }
  return [...known.values()].filter(({ name }) => containsWords(name, text));
};

/** Where the directory has no names, people of the user’s conversations are found by theirs. */
const receivers: PeopleSource | undefined =
  mode === 'members'
    ? directory
    : {
        placeholder: talkTexts.findKnown[mode],
        hint: talkTexts.knownHint[mode],
        none: () => talkTexts.noneKnown,
        isEnough: () => true,
        find: async (text) => {
          const known = findKnown(text);
          const others = directory?.isEnough(text) ? await directory.find(text) : [];
          return [...known, ...others.filter(({ id }) => !known.some((one) => one.id === id))];
        },
      };

const Receivers = () => {
  const { to } = form.values.value;
  return (
    <PersonSearch
      source={receivers}
      label={talkTexts.to}
      hint={talkTexts.findHint}
      error={form.errors.value.to}
      chosen={to}
      room={maxReceivers - to.length}
      full={talkTexts.full}
      whyNot={isYourself}
      onAdd={(people) => form.set('to', [...to, ...people.map(({ id, name }) => ({ id, name }))])}
      onRemove={({ id }) =>
        form.set(
          'to',
          to.filter((one) => one.id !== id),
        )
      }
    />
  );
};

const close = () => url.close({ isNew: false });

/** Writes a new message. */
export const Compose = () => {
  const sheet = useRef<HTMLFormElement>(null);
  // The first field that is empty; a draft may have filled some.
  useEffect(() => {
    const { to, subject } = form.values.value;
    const field =
      to.length === 0 ? '[role=combobox]' : `[name=${subject === '' ? 'subject' : 'text'}]`;
    sheet.current?.querySelector<HTMLElement>(field)?.focus();
  }, []);
  // The draft is kept; but who writes presses no keys of the page.
  useEffect(
    () =>
      guardWork({
        getName: () => texts.theMessage,
        isChanged: () => form.isChanged.value,
        isLost: () => false,
        discard: () => {},
      }),
    [],
  );
  const whyDisabled = isOnline.value ? whyNotSent('new') : talkTexts.offline;
  const submit = (event: SubmitEvent) => {
    if (whyDisabled === undefined) return form.submit(event);
    event.preventDefault();
  };
  return (
    <section aria-label={texts.newMessage}>
      <div class="talk-h">
        <Back onClick={close} />
        <h2 class="grow">{texts.newMessage}</h2>
      </div>
      <form
        ref={sheet}
        class="compose-new"
        noValidate
        onSubmit={submit}
        {...acceptFiles('new')}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !hasCommandKey(event)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {form.failure.value !== undefined && (
          <Notice kind="bad">{talkTexts.notSent(form.failure.value)}</Notice>
        )}
        <Receivers />
        <TextField
          form={form}
          name="subject"
          label={talkTexts.subject}
          maxLength={200}
          autocomplete="off"
        />
        <TextArea form={form} name="text" label={talkTexts.text} rows={10} maxLength={65_536} />
        <AttachedFiles of="new" />
        <div class="row">
          <AttachButton of="new" />
          <span class="tiny mute end hide-s">{talkTexts.sends(withCommandKey('↵'))}</span>
          {(form.isChanged.value || getAttached('new').length > 0) && (
            <Button kind="ghost" onClick={discard}>
              {talkTexts.discard}
            </Button>
          )}
          <Button
            kind="primary"
            type="submit"
            icon="send"
            isBusy={form.isBusy.value}
            whyDisabled={whyDisabled}
          >
            {texts.send}
          </Button>
        </div>
      </form>
    </section>
  );
};
