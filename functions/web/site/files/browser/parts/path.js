import { createElement } from '../../../../browser/page.js';
import { filesTexts as texts } from '../../texts.ts';
import { listFolders } from '../../view.ts';

/**
 * Creates breadcrumbs up to the current folder, which is no link.
 * @param {string} path
 * @param {(path: string, name: string) => HTMLElement} stepOf creates the link to a folder
 */
export const pathItems = (path, stepOf) => {
  const steps = [{ name: texts.title, path: '' }, ...listFolders(path)];
  return steps.map((step, at) => {
    const item = document.createElement('li');
    if (at < steps.length - 1) {
      item.append(stepOf(step.path, step.name));
      return item;
    }
    const here = createElement('span', '', step.name);
    here.setAttribute('aria-current', 'page');
    item.append(here);
    return item;
  });
};
