import { type Audience, isWider } from '../../../../../../shared/permissions/audiences.ts';
import { get } from './elements.ts';
import type { Ceiling } from './requests.ts';

const dayS = 86_400;

const fields = () => get<HTMLFieldSetElement>('.ceil');
const audience = () => get<HTMLSelectElement>('select', fields());
const bounds = () => [...fields().querySelectorAll<HTMLInputElement>('input')];

/** Writes the sentence around the chosen audience. */
const drawAudience = (): void => {
  const { before = '', after = '' } = audience().selectedOptions[0]?.dataset ?? {};
  get('[data-before]', fields()).textContent = before;
  const end = audience().parentElement?.lastElementChild;
  if (end) end.textContent = after;
};

const drawUnit = (field: HTMLInputElement): void => {
  const unit = field.parentElement?.querySelector<HTMLElement>('[data-one]');
  if (unit) unit.textContent = unit.dataset[field.value.trim() === '1' ? 'one' : 'many'] ?? '';
};

const isWrong = ({ value, dataset }: HTMLInputElement): boolean =>
  !/^[1-9]\d{0,6}$/.test(value.trim()) || Number(value) > Number(dataset['max']);

const check = (field: HTMLInputElement): void => {
  const wrong = isWrong(field);
  get(`#${field.name}-error`).textContent = wrong ? (field.dataset['wrong'] ?? '') : '';
  if (wrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
};

/** Shows what is proposed, and offers no audience wider than the service allows. */
export const fillCeiling = (
  { maxAudience, maxAge, sharesPerDay }: Ceiling,
  limits: { readonly maxAudience: Audience },
): void => {
  for (const option of [...audience().options]) {
    if (isWider(option.value as Audience, limits.maxAudience)) option.remove();
  }
  audience().value = maxAudience;
  audience().addEventListener('change', drawAudience);
  drawAudience();
  const values: Readonly<Record<string, number>> = {
    maxAgeDays: Math.max(1, Math.floor(maxAge / dayS)),
    sharesPerDay,
  };
  for (const field of bounds()) {
    field.value = String(values[field.name]);
    drawUnit(field);
    field.addEventListener('input', () => {
      drawUnit(field);
      if (field.hasAttribute('aria-invalid')) check(field);
    });
    field.addEventListener('change', () => check(field));
  }
};

/** Shows or hides what the app may publish. */
export const toggleCeiling = (isShown: boolean): void => {
  fields().hidden = !isShown;
};

/** Checks the fields. Returns what they say, or the first wrong one; `undefined` where the app publishes nothing. */
export const readCeiling = (): Ceiling | HTMLInputElement | undefined => {
  if (fields().hidden) return undefined;
  for (const field of bounds()) check(field);
  const wrong = bounds().find(isWrong);
  if (wrong) return wrong;
  const [days, sharesPerDay] = bounds().map(({ value }) => Number(value));
  return {
    maxAudience: audience().value as Audience,
    maxAge: (days ?? 0) * dayS,
    sharesPerDay: sharesPerDay ?? 0,
  };
};
