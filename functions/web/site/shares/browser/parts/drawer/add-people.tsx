import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { isWider, maxReaders } from '../../../../../../../shared/permissions/audiences.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Icon } from '../../../../../browser/components/icon.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { Segments } from '../../../../../browser/components/tabs.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../../browser/data/format.ts';
import { type FoundPerson, isYourself } from '../../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../../browser/people/person-search.tsx';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import type { Share } from '../state.ts';
import { changeReaders } from './readers.ts';
import {
  addRecipient,
  createSource,
  isOutside,
  type Passing,
  type Recipient,
} from './recipients.ts';

const outside = texts.outside;

interface AddProps {
  readonly share: Share;
  /** Those who have a link already. */
  readonly recipients: readonly Recipient[];
  readonly reload: () => Promise<unknown>;
}

const canSend = signedIn?.sendsMail ?? false;
/** A link without a code opens to whoever has it, which the service may not allow. */
const isLinkAllowed = !isWider('link', signedIn?.audience.max ?? 'link');

const options = [
  {
    value: 'send',
    label: (
      <>
        <Icon name="send" /> {outside.send}
      </>
    ),
  },
  {
    value: 'code',
    label: (
      <>
        <Icon name="shield" /> {outside.code}
      </>
    ),
  },
] as const;

/** Of a sealed share, whose links aren't sent. */
const sealedOptions = options.map(({ value, label }) => ({
  value,
  label:
    value === 'send' ? (
      <>
        <Icon name="link" /> {outside.own}
      </>
    ) : (
      label
    ),
}));

const nameAll = (people: readonly FoundPerson[]): string =>
  formatList(people.map(({ name }) => name));

/** Shares with people: those who are found get it in their list, others a link of their own. */
export const AddPeople = ({ share, recipients, reload }: AddProps) => {
  const { id, readers, audience, sealed } = share;
  // The service has no key to send.
  const isSent = canSend && !sealed;
  const takesMembers = audience === 'private' || audience === 'people';
  const takesOutside = isLinkAllowed || (canSend && signedIn?.audience.max !== 'private');
  const source = useMemo(
    () => (takesOutside ? createSource(takesMembers) : undefined),
    [takesMembers],
  );
  const chosen = useSignal<readonly FoundPerson[]>([]);
  const passing = useSignal<Passing>(isLinkAllowed ? 'send' : 'code');
  const isBusy = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const { length } = chosen.value;
  const others = chosen.value.filter(isOutside);
  const explain = (person: FoundPerson) => {
    const isThere = isOutside(person)
      ? recipients.some(({ email }) => email === person.name)
      : readers.includes(person.id);
    return isYourself(person) ?? (isThere ? texts.added : undefined);
  };
  const add = async () => {
    isBusy.value = true;
    failure.value = undefined;
    const members = chosen.value.filter((one) => !isOutside(one));
    try {
      if (members.length > 0) {
        await changeReaders(id, (known) => [
          ...new Set([...known, ...members.map((one) => one.id)]),
        ]);
        chosen.value = others;
        toast({ text: texts.wasAdded(nameAll(members)) });
      }
      const how = canSend ? passing.value : undefined;
      const { done, failed, left } = await runForEach(others, ({ name }) =>
        addRecipient(share, name, how),
      );
      chosen.value = [...failed.map(({ item }) => item), ...left];
      const [first] = failed;
      if (first) failure.value = outside.failed(first.item.name, first.error.message);
      if (done.length > 0) toast({ text: outside[isSent ? 'sentTo' : 'linkFor'](nameAll(done)) });
      await reload();
    } catch (error) {
      failure.value = (error as Error).message;
    }
    isBusy.value = false;
  };
  const reasons = sealed
    ? ({ code: 'sealedCodeWhy', send: 'sealedWhy' } as const)
    : ({ code: 'codeWhy', send: 'sendWhy' } as const);
  const about = canSend || sealed ? outside[reasons[passing.value]] : outside.noMail;
  const addHint = sealed ? texts.addSealedHint : texts.addHint;
  const findsNobody = !takesMembers || others.length === length;
  const hintFor = length > 0 ? addHint : outside[takesMembers ? 'hint' : 'onlyLinks'];
  const hint = takesOutside ? (length > 0 && findsNobody ? '' : hintFor) : addHint;
  return (
    <div class="addbox">
      <PersonSearch
        {...(source && { source })}
        label={texts.add}
        hint={hint}
        chosen={chosen.value}
        room={maxReaders - readers.length - recipients.length - length}
        full={texts.full(formatNumber(maxReaders))}
        whyNot={explain}
        onAdd={(people) => {
          chosen.value = [...chosen.value, ...people];
        }}
        onRemove={(person) => {
          chosen.value = chosen.value.filter((one) => one !== person);
        }}
      />
      {others.length > 0 && (
        <>
          {canSend && isLinkAllowed && (
            <Segments
              label={outside.how}
              options={sealed ? sealedOptions : options}
              value={passing.value}
              onChange={(value) => {
                passing.value = value;
              }}
            />
          )}
          <p class="hint">{about}</p>
        </>
      )}
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      {length > 0 && (
        <Button kind="primary" size="sm" class="wide" isBusy={isBusy.value} onClick={add}>
          {isSent && others.length === length ? outside.sendTo(length) : texts.addSome(length)}
        </Button>
      )}
    </div>
  );
};
