import { Button } from '../../../../browser/components/button.tsx';
import { Labeled } from '../../../../browser/components/field.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { usersTexts as texts } from '../../texts.ts';

const copy = async (link: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(link);
    toast({ text: texts.copied });
  } catch {
    toast({ text: texts.copyByHand, kind: 'bad' });
  }
};

/** A link of an invitation that is passed on by hand. */
export const LinkField = ({ link }: { readonly link: string }) => (
  <Labeled label={texts.link} hint={texts.linkAbout}>
    {(connections) => (
      <span class="row">
        <input
          class="in mono"
          {...connections}
          readOnly
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button icon="copy" onClick={() => copy(link)}>
          {texts.copy}
        </Button>
      </span>
    )}
  </Labeled>
);
