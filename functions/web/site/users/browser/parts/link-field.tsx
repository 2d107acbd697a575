import { Button } from '../../../../browser/components/button.tsx';
import { Labeled } from '../../../../browser/components/field.tsx';
import { copyText } from '../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../browser/data/copy-by-hand.ts';
import { commonTexts } from '../../../../browser/texts.ts';
import { usersTexts as texts } from '../../texts.ts';

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
        <Button icon="copy" onClick={() => copyText(link, commonTexts.copied, copyByHand)}>
          {texts.copy}
        </Button>
      </span>
    )}
  </Labeled>
);
