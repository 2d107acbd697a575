const find = <E extends Element>(id: string, kind: abstract new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no such element: ${id}`);
  return found;
};

/** Finds an element of the page by its id. */
export const byId = (id: string): HTMLElement => find(id, HTMLElement);

export const form = find('composer', HTMLFormElement);
export const area = find('share-content', HTMLTextAreaElement);
export const contentError = byId('share-content-wrong');
export const preview = byId('preview');
export const options = byId('options');
export const shareButton = find('send', HTMLButtonElement);
export const discardButton = find('discard', HTMLButtonElement);
export const progress = find('progress', HTMLProgressElement);
export const fileInput = find('file', HTMLInputElement);

/** The controls of the form by their names, which are those of the API where it has them. */
export const controls = {
  title: find('share-title', HTMLInputElement),
  description: find('share-description', HTMLInputElement),
  language: find('share-language', HTMLInputElement),
  passwordMode: find('share-passwordMode', HTMLSelectElement),
  password: find('share-password', HTMLInputElement),
  slug: find('share-slug', HTMLInputElement),
  viewLimit: find('share-viewLimit', HTMLInputElement),
  expires: find('share-expires', HTMLSelectElement),
  expiresAt: find('share-expiresAt', HTMLInputElement),
  embedOrigins: find('share-embedOrigins', HTMLInputElement),
  notify: find('share-notify', HTMLSelectElement),
  readersCanEnd: find('share-readersCanEnd', HTMLSelectElement),
  showsRevisions: find('share-showsRevisions', HTMLSelectElement),
} as const;

export type ControlName = keyof typeof controls;
