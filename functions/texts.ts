/** What our pages say, in English: everything that a page or its script shows, part by part. */

export const siteTexts = {
  brand: 'Handbill',
  navigation: 'Handbill',
  new: 'New',
  myShares: 'My shares',
  account: 'Account',
  skip: 'Skip to the content',
  needsScript: 'This page needs JavaScript. Turn it on and load the page again.',
} as const;
