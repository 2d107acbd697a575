import { findMissing } from '../../../../../shared/share-files/missing.ts';
import { unzip } from '../../../../../shared/share-files/unzip.ts';
import type { Refused } from './parts/share-files/model/incoming.ts';
import { followMoves } from './parts/share-files/model/moves.ts';
import {
  type PreviewText,
  toPlace,
  toPreviewPage,
} from './parts/share-files/model/preview-parts.ts';
import { findTargets } from './parts/share-files/work/links.ts';
import type {
  Answer,
  Results,
  Task,
  UnpackedFile,
  WorkFile,
} from './parts/share-files/work/tasks.ts';

/** The texts that were read, by the ids of their bytes. Those of the last task are kept. */
let texts = new Map<number, string>();

const readTexts = async (files: readonly WorkFile[]): Promise<Map<number, string>> => {
  const read = await Promise.all(
    files.flatMap(({ id, text }) =>
      text === undefined
        ? []
        : Promise.resolve(texts.get(id) ?? (typeof text === 'string' ? text : text.text())).then(
            (known) => [id, known] as const,
          ),
    ),
  );
  texts = new Map(read);
  return texts;
};

const linkTexts = async (files: readonly WorkFile[]): Promise<readonly PreviewText[]> => {
  const read = await readTexts(files);
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, type, id }) => {
    const text = read.get(id);
    return text === undefined ? [] : { path, type, text, targets: findTargets(path, text, paths) };
  });
};

/** Writes references of Markdown as addresses of other hosts, so that they are converted. New bytes have a new address. */
const mark = ({ text, targets }: PreviewText, files: readonly WorkFile[]): string => {
  const ids = new Map(files.map(({ path, id, isAbsent }) => [path, isAbsent ? 0 : id]));
  let [written, from] = ['', 0];
  for (const { path, start, end } of targets) {
    const id = ids.get(path);
    written += text.slice(from, start) + toPlace(path) + (id === undefined ? '' : `?${id}`);
    from = end;
  }
  return written + text.slice(from);
};

const run = async (
  task: Task,
  onProgress: (part: number) => void,
): Promise<Results[Task['task']]> => {
  switch (task.task) {
    case 'unzip': {
      const files: UnpackedFile[] = [];
      const refused: Refused[] = [];
      await unzip(
        task.archive,
        ({ path, bytes, index, count }) => {
          files.push({ path, bytes });
          onProgress((index + 1) / count);
        },
        undefined,
        ({ path, message }) => refused.push({ path, message }),
      );
      return { files, refused };
    }
    case 'check': {
      const read = await readTexts(task.files);
      return findMissing(
        task.files.map(({ path, id }) => {
          const text = read.get(id);
          return text === undefined ? { path } : { path, text };
        }),
      );
    }
    case 'follow':
      return followMoves(await linkTexts(task.files), task.moves);
    case 'preview':
      return toPreviewPage({
        page: task.page,
        labels: task.labels,
        texts: await linkTexts(task.files),
        files: task.files,
        absent: new Set(task.files.filter(({ isAbsent }) => isAbsent).map(({ path }) => path)),
        nonce: crypto.randomUUID(),
      });
    case 'mark': {
      const page = (await linkTexts(task.files)).find(({ path }) => path === task.page);
      return page ? mark(page, task.files) : '';
    }
  }
};

addEventListener('message', async ({ data }: MessageEvent<Task & { readonly number: number }>) => {
  const { number } = data;
  const answer = (rest: Omit<Answer, 'number'>) => postMessage({ number, ...rest });
  try {
    answer({ result: await run(data, (part) => answer({ part })) });
  } catch (error) {
    answer({ error: (error as Error).message });
  }
});
