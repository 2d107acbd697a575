import { effect } from '@preact/signals';
import { formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { language } from './content.ts';
import { byId, controls, discardButton, options, progress } from './elements.ts';
import { chosen } from './options.ts';
import { percent } from './percent.ts';
import { bytes, isChanged, isStored } from './state.ts';

const setText = (id: string, text: string): void => {
  byId(id).textContent = text;
};

const setChip = (id: string, text: string, isOn: boolean): void => {
  byId(id).classList.toggle('on', isOn);
  setText(`${id}-text`, text);
};

const describeViews = (views: string): string => {
  if (views === '') return texts.noViewLimit;
  return views === '1' ? texts.burn : texts.viewsCount(Number(views));
};

/** Shows the options in the bar, the size of the content and the progress of sending. */
export const startBar = (): void => {
  effect(() => {
    const { hasPassword, expiry, views } = chosen.value;
    setChip('chip-password', hasPassword ? texts.password : texts.noPasswordChip, hasPassword);
    setChip('chip-expiry', expiry ?? texts.noExpiry, expiry !== undefined);
    setChip('chip-views', describeViews(views), views !== '');
    setText('readers', hasPassword ? texts.anyoneWithPassword : texts.anyone);
  });
  effect(() => {
    const most = mostBytes[language.value];
    setText('size', texts.size(formatBytes(bytes.value), formatBytes(most)));
    byId('size').classList.toggle('over', bytes.value > most);
  });
  effect(() => {
    discardButton.disabled = !isChanged.value;
    byId('kept').hidden = !isStored.value;
  });
  effect(() => {
    const { value } = percent;
    byId('readers').hidden = value !== undefined;
    byId('sending').hidden = value === undefined;
    if (value === undefined) return;
    progress.value = value;
    setText('percent', value < 100 ? texts.sending(value) : texts.storing);
  });
  // A chip leads to what it shows. A popover opens after the click on its button.
  const targets = {
    'chip-password': () => controls.hasPassword,
    'chip-expiry': () => controls.expires,
    'chip-views': () => (controls.viewLimit.disabled ? controls.burn : controls.viewLimit),
  };
  for (const [chip, getControl] of Object.entries(targets)) {
    byId(chip).addEventListener('click', () => {
      const focusControl = (): void => {
        if (options.matches(':popover-open')) getControl().focus();
      };
      options.addEventListener('toggle', focusControl, { once: true });
    });
  }
};
