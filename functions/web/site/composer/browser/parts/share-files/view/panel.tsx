import { maxFiles, maxFilesBytes } from '../../../../../../../../shared/share-files/limits.ts';
import { Button } from '../../../../../../browser/components/button.tsx';
import { Icon } from '../../../../../../browser/components/icon.tsx';
import { Menu, type MenuItem } from '../../../../../../browser/components/menu.tsx';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { isSealed } from '../../sealing/sealed.ts';
import { openFile } from '../actions.ts';
import { countMissing, missing } from '../checking.ts';
import { chooseFiles, chooseFolder, chooseMissing } from '../choosing.ts';
import { formatPart, formatSize } from '../model/sizes.ts';
import { cancelUploads, progress } from '../sending.ts';
import { allFiles, isSingle } from '../set.ts';
import { refused } from '../taking.ts';
import { listActions } from './row-menu.tsx';
import { Tree } from './tree.tsx';
import { current } from './tree-state.ts';

const additions: readonly MenuItem[] = [
  { label: texts.addFiles, icon: 'zip', run: chooseFiles },
  { label: texts.addFolder, icon: 'folder', run: chooseFolder },
];

const Header = () => (
  <header>
    <h2>{texts.files}</h2>
    <span class="mute">{allFiles.value.length}</span>
    <span class="row end">
      <Menu label={texts.add} icon="plus" items={additions} />
      <Menu
        label={texts.more}
        items={listActions(current.value).map(({ label, icon, key, isBad, run }) => ({
          label,
          icon,
          run,
          ...(key !== undefined && { shortcut: key }),
          ...(isBad && { isBad }),
        }))}
      />
    </span>
  </header>
);

const UploadRow = () => {
  const { value } = progress;
  if (!value) return null;
  const { done, count, sentBytes, bytes } = value;
  return (
    <div class="uprow">
      <div class="row">
        <span class="grow" role="status">
          {texts.uploading(done, count)}
        </span>
        <span class="mute num">{formatPart(sentBytes, bytes)}</span>
        {!isSealed.value && (
          <Button
            kind="ghost"
            size="sm"
            icon="x"
            label={texts.cancelUpload}
            onClick={cancelUploads}
          />
        )}
      </div>
      <progress max={bytes} value={sentBytes} aria-label={texts.upload} />
    </div>
  );
};

const Missing = () => {
  const count = countMissing();
  if (count === 0) return null;
  return (
    <section class="miss" aria-labelledby="missing-files">
      <h3 id="missing-files">
        <Icon name="alert" />
        {texts.missing(count)}
      </h3>
      <ul>
        {missing.value.map(({ path, from, line }) => (
          <li key={`${path}:${from}:${line}`}>
            <button type="button" onClick={() => openFile(from, line)}>
              <span class="mono">{path}</span>
              {texts.place(from, line)}
            </button>
          </li>
        ))}
      </ul>
      {[...new Set(missing.value.flatMap(({ advice = [] }) => advice))].map((advice) => (
        <p key={advice} class="mt0">
          {advice}
        </p>
      ))}
      <Button size="sm" icon="plus" onClick={chooseMissing}>
        {texts.addMissing}
      </Button>
    </section>
  );
};

const RefusedFiles = () => {
  const { value } = refused;
  if (value.length === 0) return null;
  return (
    <section class="miss refused" role="alert">
      <h3>
        <Icon name="alert" />
        {texts.refused(value.length)}
      </h3>
      <ul>
        {value.map(({ path, message }) => (
          <li key={path}>
            <span class="mono">{path}</span>
            {message}
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        onClick={() => {
          refused.value = [];
        }}
      >
        {texts.dismiss}
      </Button>
    </section>
  );
};

const Footer = () => {
  const files = allFiles.value;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const used = texts.used(formatSize(bytes), formatSize(maxFilesBytes));
  return (
    <footer>
      <meter min={0} max={maxFilesBytes} value={bytes} aria-label={texts.size}>
        {used}
      </meter>
      <div class="row">
        <span>{used}</span>
        <span>{texts.count(files.length, maxFiles)}</span>
      </div>
    </footer>
  );
};

/** Says what becomes of the files of a sealed share. */
const SealedFiles = () =>
  isSealed.value && (
    <p class="hint pad">{isSingle.value ? texts.sealedSingle : texts.sealedFiles}</p>
  );

/** The files of the share: the tree, what is being uploaded, what is missing, and how much room is left. */
export const Panel = () => (
  <>
    <Header />
    <UploadRow />
    <Tree />
    <SealedFiles />
    <RefusedFiles />
    <Missing />
    <Footer />
  </>
);
