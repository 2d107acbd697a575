import { getPageKind } from '../../../../../../../../shared/share-files/types.ts';
import { Button } from '../../../../../../browser/components/button.tsx';
import { Icon } from '../../../../../../browser/components/icon.tsx';
import { languageTexts } from '../../../../../../browser/texts.ts';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { canBeMain, isTreeShown, listPages, setMain } from '../actions.ts';
import { getName } from '../model/draft-file.ts';
import { allFiles, isSingle, main, opened } from '../set.ts';
import { findIcon } from './icons.ts';

const nameKind = (path: string): string => {
  const kind = getPageKind(path);
  if (kind) return languageTexts[kind];
  const [, ending = ''] = /\.([^./]+)$/.exec(path) ?? [];
  return ending.toUpperCase();
};

/** Says which file is open, and which page readers see first. */
export const OpenedFile = () => {
  const path = opened.value;
  const file = allFiles.value.find((one) => one.path === path);
  const pages = listPages();
  const isMain = path === main.value && !isSingle.value;
  return (
    <>
      <span class="small row opened" title={path}>
        <Icon name={!file || isMain ? 'home' : findIcon(file)} />
        <b class="cut">{getName(path)}</b>
        <span class="mute">{nameKind(path)}</span>
      </span>
      {pages.length > 0 && (
        <>
          <span class="v" />
          <label class="small row" for="main-page">
            {texts.mainPage}
          </label>
          <select
            class="in pick"
            id="main-page"
            value={main.value}
            onChange={({ currentTarget }) => setMain(currentTarget.value)}
          >
            {pages.map((page) => (
              <option key={page} value={page} disabled={page !== main.value && !canBeMain(page)}>
                {page}
              </option>
            ))}
          </select>
        </>
      )}
    </>
  );
};

/** Shows and hides the tree. */
export const TreeToggle = () => (
  <Button
    kind="ghost"
    size="sm"
    icon="list"
    label={texts.files}
    title={texts.files}
    aria-pressed={isTreeShown.value}
    onClick={() => {
      isTreeShown.value = !isTreeShown.value;
    }}
  />
);
