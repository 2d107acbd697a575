import { useEffect } from 'preact/hooks';
import { confirm, Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { RecoveryCodes } from '../../../../../browser/factors/recovery-codes.tsx';
import { factorTexts } from '../../../../../browser/factors/texts.ts';
import { guardWork } from '../../../../../browser/shell/unsaved.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { user } from '../state.ts';

interface CodesDialogProps {
  readonly codes: readonly string[];
  readonly close: () => void;
}

const CodesDialog = ({ codes, close }: CodesDialogProps) => {
  // They are shown only here, so the page isn’t left with them unasked.
  useEffect(
    () =>
      guardWork({ getName: () => texts.yourCodes, isChanged: () => true, discard: () => close() }),
    [],
  );
  const ask = async () => {
    const isAgreed = await confirm({
      title: texts.confirmClose,
      text: texts.confirmCloseText,
      action: texts.close,
    });
    if (isAgreed) close();
  };
  return (
    <Dialog class="wide" title={factorTexts.saveCodes} onClose={ask}>
      <RecoveryCodes codes={codes} email={user.data.value?.email ?? ''} onDone={close} />
    </Dialog>
  );
};

/** Shows new recovery codes, until the user says that they are saved. */
export const showCodes = (codes: readonly string[]): void =>
  openDialog((close) => <CodesDialog codes={codes} close={close} />);
