import { controls } from '../../elements.ts';
import type { Answer, Results, Task, TaskName } from './tasks.ts';

type TaskOf<Name extends TaskName> = Extract<Task, { readonly task: Name }>;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((part: number) => void) | undefined;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let lastNumber = 0;

const failAll = (): void => {
  worker?.terminate();
  worker = undefined;
  for (const { reject } of waiting.values()) reject(new Error('The worker failed'));
  waiting.clear();
};

const start = (url: string): Worker => {
  const started = new Worker(url, { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.number);
    if (data.part !== undefined) return one?.onProgress?.(data.part);
    waiting.delete(data.number);
    if (data.error === undefined) one?.resolve(data.result as never);
    else one?.reject(new Error(data.error));
  };
  started.onerror = failAll;
  return started;
};

/** Runs a task in the worker of files, whose address the form names. @throws Error with a message for users, if it fails */
export const runTask = <Name extends TaskName>(
  task: TaskOf<Name>,
  onProgress?: (part: number) => void,
): Promise<Results[Name]> =>
  new Promise((resolve, reject) => {
    worker ??= start(controls.files.dataset['filesWorker'] ?? '');
    lastNumber += 1;
    waiting.set(lastNumber, { resolve, reject, onProgress });
    worker.postMessage({ ...task, number: lastNumber });
  });
