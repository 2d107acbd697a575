import { randomBytes } from 'node:crypto';
import { type Answer, call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { runJobs } from '../../../support/service/jobs.ts';
import { gateOf } from '../../../support/shares/account.ts';
import {
  type Asker,
  type OpensTo,
  type Reader,
  refusal,
  toRequest,
} from '../../../support/shares/audience-model.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { frame, tokenIn } from '../../../support/shares/shares.ts';
import { newUserOf } from '../../../support/users/test-users.ts';

/** Who reads at the same time. */
export type Crowder = Reader | 'nobody';

/** What happens at the same time as others: someone reads in a way, or the content is replaced by one for others. */
export type Event =
  | { readonly kind: 'view' | 'open' | 'page' | 'raw' | 'linkView'; readonly by: Crowder }
  | { readonly kind: 'change'; readonly opensTo: OpensTo }
  | { readonly kind: 'work' };

/** What someone got. */
export interface Got {
  readonly kind: Event['kind'];
  readonly by: Asker | 'recipient';
  readonly answer: Answer;
}

/** Whether a request took a view. */
export const tookView = ({ kind, answer: { status } }: Got): boolean =>
  kind === 'open' ? status === 303 : (kind === 'view' || kind === 'linkView') && status === 200;

/** Creates a share whose contents are each for others, and those who read it at the same time. */
export const newReaders = async (rules: {
  readonly viewLimit: number | undefined;
  readonly opensTo: OpensTo;
  readonly isLarge: boolean;
}) => {
  const owner = await newUserOf('user');
  const people = { bob: await newUserOf('user'), eve: await newUserOf('user') };
  const hers = sharesOf(owner);
  /** For whom each content is. */
  const contents = new Map<string, OpensTo>();
  const fieldsOf = (opensTo: OpensTo) => {
    const more = rules.isLarge ? randomBytes(15_000).toString('base64') : '';
    const content = `<p>No. ${contents.size} of ${owner.id}</p>${more}`;
    contents.set(content, opensTo);
    return { content, ...toRequest(opensTo, people) };
  };
  const { viewLimit } = rules;
  const id = await hers.newShare({ viewLimit, ...fieldsOf(rules.opensTo) });
  const link: string = (await linksOf(owner).addLink(id)).body.id;
  let count = 0;

  const session = (by: Crowder) => (by === 'nobody' ? {} : { token: people[by].token });
  const at = (by: Crowder) => ({ ...session(by), params: { id } });
  const view = (by: Crowder, address = id, method = 'GET') =>
    call(`${method} /api/share`, { ...session(by), query: { id: address } });

  /** Requests a page with its frame, which has the content. */
  const lookAt = async (by: Crowder, query: Readonly<Record<string, string>> = {}) => {
    const answer = await call('GET /s/{id}', { ...at(by), query });
    const [, ofFrame] = /snippets\.test\/[\w-]+(?:\?view=([^"&]+))?/.exec(answer.body) ?? [];
    return [answer, await frame(id, ofFrame)];
  };

  const happen = async (event: Event): Promise<Got[]> => {
    const { kind } = event;
    if (kind === 'work') return runJobs().then(() => []);
    if (kind === 'change') {
      return [{ kind, by: 'owner', answer: await hers.put(id, fieldsOf(event.opensTo)) }];
    }
    const { by } = event;
    if (kind === 'view') return [{ kind, by, answer: await view(by) }];
    if (kind === 'linkView') return [{ kind, by: 'recipient', answer: await view(by, link) }];
    if (kind === 'raw') return [{ kind, by, answer: await call('GET /s/{id}/raw', at(by)) }];
    if (kind === 'page') return (await lookAt(by)).map((answer) => ({ kind, by, answer }));
    const sent = form({ claim: `claim ${++count}` });
    const answer = await call('POST /s/{id}/open', { ...at(by), ...sent });
    const token = tokenIn(answer);
    if (token === undefined) return [{ kind, by, answer }];
    const seen = await lookAt(by, { view: token });
    return [
      { kind, by, answer },
      ...seen.map((one) => ({ kind: 'page' as const, by, answer: one })),
    ];
  };

  return {
    /** Lets all happen at the same time. */
    run: async (events: readonly Event[]): Promise<readonly Got[]> =>
      (await Promise.all(events.map(happen))).flat(),
    views: async (): Promise<number> => (await gateOf(id))?.views ?? 0,
    /** Returns for whom the content was that someone got, if that got any. */
    findOpensTo: ({ answer: { body } }: Got): OpensTo | undefined => {
      const text = String(body?.content ?? body);
      return [...contents].find(([content]) => text.includes(content))?.[1];
    },
    /** Returns the statuses with which the share is refused now, and those that are expected. */
    refusals: async () => {
      const { body } = await hers.look(id);
      const opensTo = contents.get(body.content) ?? 'private';
      const all = ['bob', 'eve', 'nobody'] as const;
      const answers = await Promise.all(all.map((by) => view(by, id, 'HEAD')));
      return {
        shown: answers.map(({ status }) => (status === 200 ? undefined : status)),
        expected: all.map((by) => refusal({ opensTo }, by)),
        isOpen: body.status === 'active',
      };
    },
  };
};
