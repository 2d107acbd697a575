import { forgetTexts } from '../../../functions/api/share/reading/text-memory.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { pass } from '../../support/run/virtual-time.ts';
import { randomText } from '../../support/shares/contents.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, tokenIn, view } from '../../support/shares/shares.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { recordDemands, unitsPerSecond } from './rates.ts';

/** HTML that is 11.6 KB compressed: the most that the table stores. */
const content = () => randomText(15_800);

/** Sends a request to a process. */
type Send = <Sent>(request: () => Promise<Sent>) => Promise<Sent>;

const showPage = async (id: string, send: Send, token?: string): Promise<void> => {
  await send(() => page(id, token));
  await send(() => frame(id, token));
};

const openAndShow = async (id: string, send: Send): Promise<void> => {
  await send(() => page(id));
  await showPage(id, send, tokenIn(await send(() => open(id))));
};

/** How a share can be viewed, with a limit or without. */
const ways: Readonly<Record<string, (id: string, send: Send) => Promise<unknown>>> = {
  'by the API': (id, send) => send(() => view(id)),
  'its page and frame': showPage,
};

const limitedWays: typeof ways = {
  'by the API, with a limit': (id, send) => send(() => view(id)),
  'asked, opened, its page and frame, with a limit': openAndShow,
};

/** What a way of viewing takes of the partition of the share. */
export interface ShareRate {
  readonly way: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly perSecond: number;
}

const measureWay = async (way: string, id: string, act: () => Promise<unknown>) => {
  const { pk } = shareKeys.record.at({ id });
  const demands = (await recordDemands(act)).filter(({ partition }) => partition === pk);
  const sum = (kind: 'read' | 'write') =>
    demands.filter((one) => one.kind === kind).reduce((total, { units }) => total + units, 0);
  const [readUnits, writeUnits] = [sum('read'), sum('write')];
  const rates = [
    unitsPerSecond.read / readUnits,
    ...(writeUnits > 0 ? [unitsPerSecond.write / writeUnits] : []),
  ];
  return { way, readUnits, writeUnits, perSecond: Math.floor(Math.min(...rates)) };
};

/**
 * Measures how often a second one share of 11 KB can be viewed until its partition refuses: by processes that have read it
 * before, and by those that have not.
 */
export const measureShareRates = async (): Promise<readonly ShareRate[]> => {
  const { newShare } = sharesOf(await newUserOf('user'));
  const ids = {
    open: await newShare({ content: content(), language: 'html' }),
    limited: await newShare({ content: content(), language: 'html', viewLimit: 100 }),
  };
  const rates: ShareRate[] = [];
  const all = [
    ...Object.entries(ways).map((way) => [ids.open, ...way] as const),
    ...Object.entries(limitedWays).map((way) => [ids.limited, ...way] as const),
  ];
  for (const [id, name, act] of all) {
    const toNew: Send = (request) => {
      forgetTexts(id);
      return request();
    };
    pass(61_000);
    const first = await measureWay(`${name}, by new processes`, id, () => act(id, toNew));
    pass(61_000);
    rates.push(await measureWay(name, id, () => act(id, (request) => request())), first);
  }
  return rates;
};
