import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';

const choose = async (page: Page, action: string): Promise<void> => {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

/** The page of documents. */
export const documentsStates: readonly PageState[] = [
  { name: 'documents', path: '/documents', as: 'mei' },
  { name: 'documents-none', path: '/documents?search=zzz', as: 'mei' },
  { name: 'documents-trash', path: '/documents?show=trash', as: 'nadia' },
  {
    name: 'documents-filter',
    path: '/documents?folder=Editorial',
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await page.getByRole('menuitemradio').first().waitFor();
    },
  },
  {
    name: 'documents-menu',
    path: '/documents?show=mine',
    as: 'mei',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'documents-selected',
    path: '/documents?show=mine',
    as: 'mei',
    act: async (page) => {
      for (const key of ['j', 'x']) await page.keyboard.press(key);
      await page.getByRole('toolbar').waitFor();
    },
  },
  {
    name: 'documents-share',
    path: '/documents?show=mine',
    as: 'mei',
    act: async (page) => {
      await choose(page, 'Share');
      await page.getByLabel('What everyone can do').waitFor();
    },
  },
  {
    name: 'documents-tags',
    path: '/documents?show=mine',
    as: 'mei',
    act: async (page) => {
      await choose(page, 'Change tags');
      await page.getByRole('dialog', { name: /^Tags of/ }).waitFor();
    },
  },
];
