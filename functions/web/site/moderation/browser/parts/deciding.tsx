import { Button } from '../../../../browser/components/button.tsx';
import { Labeled } from '../../../../browser/components/field.tsx';
import { moderationTexts as texts } from '../../texts.ts';
import { type Decisions, reason } from './decisions.ts';

/** The most that the API takes. In UTF-16 code units. */
const maxReason = 500;

/** What the moderator writes to the owner. */
export const Reason = () => (
  <Labeled label={texts.reason} hint={texts.reasonHint}>
    {(attributes) => (
      <textarea
        {...attributes}
        class="in"
        dir="auto"
        rows={2}
        maxLength={maxReason}
        value={reason.value}
        onInput={({ currentTarget }) => {
          reason.value = currentTarget.value;
        }}
      />
    )}
  </Labeled>
);

interface DecideProps {
  readonly of: { readonly id: string; readonly status: string };
  readonly by: Pick<Decisions<never>, 'decided' | 'decide'>;
}

/** Takes down what is open, or keeps it. */
export const Decide = ({ of: { id, status }, by: { decided, decide } }: DecideProps) => (
  <>
    <Button
      kind="danger"
      icon="flag"
      isBusy={decided.value.get(id) === 'take-down'}
      whyDisabled={status === 'taken-down' ? texts.alreadyDown : undefined}
      onClick={() => decide('take-down')}
    >
      {texts.takeDown}
      <kbd>1</kbd>
    </Button>
    <Button icon="check" isBusy={decided.value.get(id) === 'keep'} onClick={() => decide('keep')}>
      {texts.keep}
      <kbd>2</kbd>
    </Button>
  </>
);
