import { getFileType, getPageKind } from '../../../../../../../../shared/share-files/types.ts';
import { editor } from '../../content.ts';
import { isSingle, main, others } from '../set.ts';
import type { WorkFile } from './tasks.ts';

const ids = new WeakMap<Blob, number>();
let lastId = 0;

const toId = (bytes: Blob): number => {
  const id = ids.get(bytes) ?? ++lastId;
  ids.set(bytes, id);
  return id;
};

let page = { text: '', bytes: new Blob() };

/** Returns the text of the main page as bytes, the same ones while it stays. */
const getMainBytes = (): Blob => {
  const text = editor.getText();
  if (page.text !== text) page = { text, bytes: new Blob([text]) };
  return page.bytes;
};

/** Whether a file may refer to others. The parsers that tell are in the worker only. */
const hasReferences = ({ path, type }: { readonly path: string; readonly type: string }): boolean =>
  /^text\/(html|css|javascript)$|^image\/svg\+xml$/.test(type) || getPageKind(path) === 'markdown';

/** Lists all files as the worker takes them. */
export const listWorkFiles = (): readonly WorkFile[] => {
  const files = others.value.map(({ path, type, bytes }): WorkFile => {
    if (!bytes) return { path, type, id: 0, isAbsent: true };
    return { path, type, id: toId(bytes), ...(hasReferences({ path, type }) && { text: bytes }) };
  });
  if (isSingle.value) return files;
  const bytes = getMainBytes();
  const [path, type] = [main.value, getFileType(main.value)];
  return [{ path, type, id: toId(bytes), text: bytes }, ...files];
};
