import { render } from 'preact';
import { type Entry, entries } from '../../../layout/shell/entries.ts';
import { type KeyRow, listPageKeys } from '../page-keys.ts';
import { commandKey } from '../platform.ts';
import { singleKeys } from '../preferences.ts';
import { may, signedIn } from '../session.ts';
import { dialogTexts } from './dialog-texts.ts';

const texts = dialogTexts.keys;

const everywhere: readonly KeyRow[] = [
  [texts.palette, [commandKey, 'K']],
  [texts.create, ['C']],
  ...(signedIn ? [[texts.notifications, ['N']] as const] : []),
  [texts.search, ['/']],
  [texts.help, ['?']],
];

const listPages = (): readonly KeyRow[] => {
  const all: readonly Entry[] = [...entries.main, ...entries.administration];
  return all.flatMap(({ label, key, permission }): readonly KeyRow[] =>
    key !== undefined && signedIn && may(permission) ? [[label, ['G', key.toUpperCase()]]] : [],
  );
};

const Rows = ({ title, rows }: { readonly title: string; readonly rows: readonly KeyRow[] }) => (
  <section>
    <h3>{title}</h3>
    <dl class="keys">
      {rows.map(([label, keys]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

const Keys = ({ close }: { readonly close: () => void }) => {
  const here = listPageKeys();
  const pages = listPages();
  return (
    <>
      <h2>{texts.title}</h2>
      {here.length > 0 && <Rows title={texts.thisPage} rows={here} />}
      <Rows title={texts.anywhere} rows={everywhere} />
      {pages.length > 0 && <Rows title={texts.goTo} rows={pages} />}
      <label class="opt">
        <input
          type="checkbox"
          class="switch"
          defaultChecked={singleKeys.read()}
          onChange={({ currentTarget }) => singleKeys.write(currentTarget.checked)}
        />
        <span>
          {texts.single}
          <span class="hint">{texts.singleAbout}</span>
        </span>
      </label>
      <div class="acts">
        <button type="button" class="btn" onClick={close}>
          {dialogTexts.close}
        </button>
      </div>
    </>
  );
};

/** Fills the dialog of the shortcuts, which is open; with the switch that turns single keys off. */
export const fillKeys = (dialog: HTMLDialogElement): void =>
  render(<Keys close={() => dialog.close()} />, dialog);

/** Empties the dialog of the shortcuts, which is closed. */
export const clearKeys = (dialog: HTMLElement): void => render(null, dialog);
