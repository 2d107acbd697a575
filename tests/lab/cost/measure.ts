import type { FunctionName } from '../../../infra/functions/config/function-config.ts';
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import type { Spent } from '../lambda/aws-proxy.ts';
import type { call } from '../lambda/call.ts';
import { deployment } from '../lambda/deployment.ts';
import { runJobs } from '../lambda/run-jobs.ts';
import { cpuFactor, latencyMs, systemLogBytes, vcpuMb } from './assumptions.ts';

/** The work of one function. */
export interface Work {
  readonly functionName: string;
  readonly memoryMb: number;
  /** CPU on a core of this machine. */
  readonly cpuMs: number;
  /** An estimate of the time that Lambda would bill. */
  readonly billedMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly putObjects: number;
  readonly getObjects: number;
  readonly queueRequests: number;
  readonly mails: number;
  readonly logBytes: number;
}

/** Excludes secrets, which are read only every five minutes, and the queue, which Lambda polls. */
const isOfTheWork = ({ service, operation }: Spent): boolean =>
  service !== 'secretsmanager' && !/^(ReceiveMessage|DeleteMessage)/.test(operation);

/** Returns the duration of the longest chain of sequential requests. */
const waitOf = (spent: readonly Spent[]): number => {
  const ends: { readonly endedAt: number; readonly ms: number }[] = [];
  for (const { service, begunAt, endedAt } of spent.toSorted((a, b) => a.begunAt - b.begunAt)) {
    const before = ends.filter((one) => one.endedAt <= begunAt).map(({ ms }) => ms);
    ends.push({ endedAt, ms: Math.max(0, ...before) + (latencyMs[service] ?? 0) });
  }
  return Math.max(0, ...ends.map(({ ms }) => ms));
};

const workOf = (functionName: string, spent: readonly Spent[], logBytes: number): Work => {
  const { functions, processes } = deployment();
  const { memoryMb = 0 } = functions.find(({ name }) => name === functionName) ?? {};
  const cpuMs = processes.get(functionName)?.taken().lastCpuMs ?? 0;
  const own = spent.filter((one) => one.by === functionName && isOfTheWork(one));
  const count = (service: string, method?: RegExp) =>
    own.filter((one) => one.service === service && (method?.test(one.operation) ?? true)).length;
  const sum = (units: 'readUnits' | 'writeUnits') =>
    own.reduce((total, one) => total + one[units], 0);
  const share = Math.min(1, memoryMb / vcpuMb);
  return {
    functionName,
    memoryMb,
    cpuMs,
    billedMs: Math.ceil((cpuMs * cpuFactor) / share + waitOf(own)),
    readUnits: sum('readUnits'),
    writeUnits: sum('writeUnits'),
    putObjects: count('s3', /^(PUT|POST)$/),
    getObjects: count('s3', /^(GET|HEAD)$/),
    queueRequests: count('sqs'),
    mails: count('ses'),
    logBytes:
      logBytes + (functionConfigs[functionName as FunctionName]?.isQuiet ? 0 : systemLogBytes),
  };
};

/** Returns all invoked functions with their work; for two invocations of one function, the last one's CPU. */
const workOfAll = async <Result>(act: () => Promise<Result>) => {
  const { processes, spent } = deployment();
  const before = new Map(
    [...processes].map(([name, each]) => {
      const { invocations, logBytes } = each.taken();
      return [name, { invocations, logBytes }];
    }),
  );
  const from = spent.length;
  const result = await act();
  const works = [...processes].flatMap(([name, each]) => {
    const { invocations, logBytes } = each.taken();
    const was = before.get(name);
    if (!was || invocations === was.invocations) return [];
    return [workOf(name, spent.slice(from), logBytes - was.logBytes)];
  });
  return { result, works };
};

/** The work of a request, and of each of its jobs, delivered separately. */
export interface Measured {
  readonly request: Work;
  readonly jobs: readonly Work[];
  readonly answerBytes: number;
}

/** The responses of the measured `call`. */
type Answered = Awaited<ReturnType<typeof call>>;

/** Measures a request to one function, and then the jobs that it enqueued. */
export const measureCall = async (
  send: () => Promise<Answered>,
): Promise<Measured & { readonly answer: Answered }> => {
  // Jobs of earlier requests don't count.
  await runJobs();
  const { result: response, works } = await workOfAll(send);
  const [request] = works;
  if (!request || works.length > 1) throw new Error('A call is the work of one function');
  const { works: jobs } = await workOfAll(runJobs);
  const { body } = response;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  return { request, jobs, answerBytes: Buffer.byteLength(text), answer: response };
};

/** Returns the measurement with the least CPU, because other work of the machine only adds. */
export const leastOf = <Each extends Measured>(all: readonly Each[]): Each =>
  all.toSorted((a, b) => a.request.cpuMs - b.request.cpuMs)[0] as Each;

/** Measures a function without a request. */
export const measureWork = async (act: () => Promise<unknown>): Promise<Work> => {
  const [work] = (await workOfAll(act)).works;
  if (!work) throw new Error('No function was at work');
  return work;
};

/** Jobs that are delivered together. */
export interface Batch {
  readonly work: Work;
  readonly messages: number;
}

/** Measures the jobs of several calls, delivered in one batch. */
export const measureBatch = async (calls: number, send: () => Promise<unknown>): Promise<Batch> => {
  await runJobs();
  for (let at = 0; at < calls; at++) await send();
  const { result: messages, works } = await workOfAll(runJobs);
  const [work] = works;
  if (!work || works.length > 1) throw new Error('A batch is the work of one function');
  return { work, messages };
};
