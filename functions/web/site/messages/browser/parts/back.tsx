import { Button } from '../../../../browser/components/button.tsx';
import { talkTexts as texts } from '../../talk-texts.ts';

/** Leads back to the list, where there is room for one of both. */
export const Back = ({ onClick }: { readonly onClick: () => unknown }) => (
  <Button kind="ghost" icon="left" label={texts.back} class="back" onClick={onClick} />
);
