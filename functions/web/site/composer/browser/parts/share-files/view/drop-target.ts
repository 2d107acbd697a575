import { maxFiles, maxFilesBytes } from '../../../../../../../../shared/share-files/limits.ts';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { form } from '../../elements.ts';
import { formatSize } from '../model/sizes.ts';

let target: HTMLElement | undefined;

const toElement = (name: string, className: string, ...content: (Node | string)[]) => {
  const element = document.createElement(name);
  element.className = className;
  element.append(...content);
  return element;
};

/** Puts what is shown over the composer while files are dragged over the page into it. Its style shows it. */
export const addDropTarget = (): void => {
  if (target) return;
  target = toElement(
    'div',
    'drop-over',
    toElement('i', 'i-zip l'),
    toElement('b', '', texts.drop),
    toElement('span', 'small', texts.dropLimits(maxFiles, formatSize(maxFilesBytes))),
  );
  target.role = 'status';
  form.append(target);
};
