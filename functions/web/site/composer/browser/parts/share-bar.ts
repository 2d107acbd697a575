import { effect } from '@preact/signals';
import { audienceIcons } from '../../audience-icons.ts';
import { formatBytes, getMostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { focusAudience } from './audience/audience.ts';
import { describeReaders } from './audience/readers.ts';
import { language } from './content.ts';
import { byId, controls, discardButton, options, progress } from './elements.ts';
import { filesLine } from './open-files.ts';
import { type Chosen, chosen } from './options.ts';
import { percent } from './percent.ts';
import { isSealed } from './sealing/sealed.ts';
import { bytes, isChanged, isStored } from './state.ts';

const setText = (id: string, text: string): void => {
  byId(id).textContent = text;
};

const setChip = (id: string, text: string, isOn: boolean): void => {
  byId(id).classList.toggle('on', isOn);
  setText(`${id}-text`, text);
};

const describeViews = ({ views, audience }: Chosen): string => {
  if (views === '') return texts.noViewLimit;
  const isBurning = views === '1' && audience !== 'private';
  return isBurning ? texts.burn : texts.viewsCount(Number(views));
};

const showWho = ({ audience, people }: Chosen): void => {
  const text = audience === 'people' ? texts.people(people.length) : texts.whoChips[audience];
  setText('chip-who-text', text);
  const [icon] = byId('chip-who').children;
  if (icon) icon.className = `i-${audienceIcons[audience]}`;
};

/** A sealed share has no password, and says so whoever can open it. */
const showProtection = ({ hasPassword, isSealed: isOn }: Chosen): void => {
  const plain = hasPassword ? texts.password : texts.noPasswordChip;
  setChip('chip-password', isOn ? texts.sealedChip : plain, isOn || hasPassword);
  byId('chip-password').classList.toggle('shared-only', !isOn);
};

/** Shows the options in the bar, the size of the content and the progress of sending. */
export const startBar = (): void => {
  effect(() => {
    const { expiry, views } = chosen.value;
    showWho(chosen.value);
    showProtection(chosen.value);
    setChip('chip-expiry', expiry ?? texts.noExpiry, expiry !== undefined);
    setChip('chip-views', describeViews(chosen.value), views !== '');
    setText('readers', filesLine.value ?? describeReaders(chosen.value));
  });
  effect(() => {
    const most = getMostBytes(language.value, isSealed.value);
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
  const focus = {
    'chip-who': focusAudience,
    'chip-password': () => (isSealed.value ? controls.sealed : controls.hasPassword).focus(),
    'chip-expiry': () => controls.expires.focus(),
    'chip-views': () => (controls.viewLimit.disabled ? controls.burn : controls.viewLimit).focus(),
  };
  for (const [chip, focusField] of Object.entries(focus)) {
    byId(chip).addEventListener('click', () => {
      const focusControl = (): void => {
        if (options.matches(':popover-open')) focusField();
      };
      options.addEventListener('toggle', focusControl, { once: true });
    });
  }
};
