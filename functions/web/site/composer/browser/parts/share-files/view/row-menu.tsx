import { render } from 'preact';
import { Icon } from '../../../../../../browser/components/icon.tsx';
import { moveByKey } from '../../../../../../browser/components/menu.tsx';
import type { IconName } from '../../../../../../layout/icons.ts';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { canBeMain, openFile, setMain } from '../actions.ts';
import { allFiles } from '../set.ts';
import { editName, removeRow } from './tree-state.ts';

interface RowAction {
  readonly label: string;
  readonly icon: IconName;
  readonly key?: string;
  readonly isBad?: boolean;
  readonly run: () => unknown;
}

/** Lists what can be done with a row. */
export const listActions = (path: string): readonly RowAction[] => {
  const isFile = allFiles.value.some((file) => file.path === path);
  return [
    ...(isFile ? [{ label: texts.open, icon: 'eye', run: () => openFile(path) } as const] : []),
    ...(canBeMain(path)
      ? [{ label: texts.makeMain, icon: 'home', run: () => setMain(path) } as const]
      : []),
    { label: texts.rename, icon: 'pen', key: 'F2', run: () => editName(path) },
    { label: texts.remove, icon: 'trash', key: 'Del', isBad: true, run: () => removeRow(path) },
  ];
};

const place = document.createElement('div');

/** Opens the menu of a row where it was asked for. */
export const openRowMenu = (path: string, at?: MouseEvent): void => {
  if (!place.isConnected) document.body.append(place);
  const row = document.querySelector(`[data-path="${CSS.escape(path)}"]`);
  const box = row?.getBoundingClientRect();
  const [x, y] =
    at && at.clientX > 0 ? [at.clientX, at.clientY] : [box?.left ?? 0, box?.bottom ?? 0];
  const close = (menu: Element | null): void => {
    if (menu instanceof HTMLElement && menu.matches(':popover-open')) menu.hidePopover();
  };
  render(
    <div
      popover="auto"
      class="menu row-menu"
      role="menu"
      aria-label={texts.actionsOf(path)}
      onKeyDown={moveByKey}
      onToggle={({ newState }) => {
        if (newState === 'open') return;
        if (row instanceof HTMLElement && document.activeElement === document.body) row.focus();
      }}
    >
      {listActions(path).map(({ label, icon, key, isBad, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={isBad ? 'bad' : undefined}
          onClick={({ currentTarget }) => {
            close(currentTarget.closest('[popover]'));
            run();
          }}
        >
          <Icon name={icon} />
          {label}
          {key !== undefined && <kbd>{key}</kbd>}
        </button>
      ))}
    </div>,
    place,
  );
  const menu = place.firstElementChild;
  if (!(menu instanceof HTMLElement)) return;
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  menu.querySelector('button')?.focus();
};
