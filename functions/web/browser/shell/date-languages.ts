import { dateLanguage } from './preferences.ts';
import { shellTexts } from './texts.ts';

const texts = shellTexts.dates;

/** The languages to choose from, besides those of the browser. */
const languages = ['en-GB', 'en-US', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'sv'];

const nameLanguage = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

/** Adds the choice of how dates are written to the user’s menu. */
export const addDateLanguages = (): void => {
  const label = document.createElement('label');
  label.className = 'theme';
  label.append(texts.label);
  const select = document.createElement('select');
  select.className = 'in sm';
  const all = [...new Set([...navigator.languages, ...languages])].toSorted();
  select.append(
    new Option(texts.system, ''),
    ...all.map((language) => new Option(nameLanguage(language), language)),
  );
  select.value = dateLanguage.read() ?? '';
  select.addEventListener('change', () => {
    dateLanguage.write(select.value || undefined);
    // The page is written in the old one.
    location.reload();
  });
  label.append(select);
  document.querySelector('#me-menu .theme')?.after(label);
};
