import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { copyText } from '../data/clipboard.ts';
import { copyByHand } from '../data/copy-by-hand.ts';
import { formatDay } from '../data/format.ts';
import { useUniqueId } from '../data/unique-id.ts';
import { commonTexts } from '../texts.ts';
import './style.ts';
import { factorTexts as texts } from './texts.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** Whose they are, for the file. */
  readonly email: string;
  /** Called once the user says that they are saved. */
  readonly onDone: () => unknown;
}

/** Returns the text of the file. */
const toText = ({ codes, email }: Pick<RecoveryCodesProps, 'codes' | 'email'>): string =>
  [
    texts.codesOf(email, location.host),
    texts.codesCreated(formatDay(new Date().toISOString())),
    '',
    ...codes,
    '',
  ].join('\n');

const download = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = texts.codesFile;
  link.click();
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** New recovery codes, which are shown only here. Done is possible once the user says that they are saved. */
export const RecoveryCodes = ({ codes, email, onDone }: RecoveryCodesProps) => {
  const [isSaved, setSaved] = useState(false);
  const copyId = useUniqueId();
  useEffect(() => document.getElementById(copyId)?.focus(), [copyId]);
  return (
    <>
      <p class="sub mt0">{texts.codesAbout}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="saving">
        <div class="row wrap">
          <Button
            id={copyId}
            icon="copy"
            autofocus
            onClick={() => copyText(codes.join('\n'), commonTexts.copied, copyByHand)}
          >
            {texts.copy}
          </Button>
          <Button icon="load" onClick={() => download(toText({ codes, email }))}>
            {texts.download}
          </Button>
          <Button kind="ghost" onClick={() => print()}>
            {texts.print}
          </Button>
        </div>
        <label class="opt">
          <input
            type="checkbox"
            checked={isSaved}
            onChange={({ currentTarget }) => setSaved(currentTarget.checked)}
          />
          {texts.saved}
        </label>
        <div class="acts">
          <Button
            kind="primary"
            whyDisabled={isSaved ? undefined : texts.notSaved}
            onClick={onDone}
          >
            {texts.done}
          </Button>
        </div>
      </div>
    </>
  );
};
