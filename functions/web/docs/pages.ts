import { getSetting } from '../../../shared/runtime/settings.ts';
import type { Theme } from '../layout/theme.ts';
import { getAsset } from './assets.ts';
import { exampleOrigin } from './reference/origin.ts';

let pages: Promise<Readonly<Record<string, string>>> | undefined;

const load = async (): Promise<Readonly<Record<string, string>>> =>
  JSON.parse((await getAsset('reference.json')).plain.toString());

/** Returns a page of the API reference in these colors, with the address of this service in its examples. */
export const readReferencePage = async (
  name: string,
  theme: Theme | undefined,
): Promise<string | undefined> => {
  pages ??= load();
  const all = await pages;
  if (!Object.hasOwn(all, name)) return undefined;
  const addressed = (all[name] ?? '').replaceAll(exampleOrigin, getSetting('PUBLIC_URL'));
  return theme
    ? addressed.replace('<html lang="en"', `<html lang="en" data-theme="${theme}"`)
    : addressed;
};
