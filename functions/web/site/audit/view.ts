import { toInteger, writeUrl } from '../../browser/data/query.ts';

/** The state of the page of the audit log. */
export interface View {
  /** The id of the user whose changes are listed. */
  readonly actor: number | undefined;
  /** What the listed changes are about, such as `user:123`. Not together with an actor. */
  readonly subject: string | undefined;
  /** What was done, such as `user.update`. */
  readonly action: string | undefined;
  /** The first and the last day, such as `2026-11-21`; empty for no limit. */
  readonly from: string;
  readonly to: string;
  /** The entry that is open: its time and its id. */
  readonly open: string | undefined;
}

/** What can be listed alone. */
export type Filter = Omit<View, 'open'>;

export const noFilter: Filter = {
  actor: undefined,
  subject: undefined,
  action: undefined,
  from: '',
  to: '',
};

const toDay = (value: string | null): string =>
  value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : '';

const matching = (value: string | null, pattern: RegExp): string | undefined =>
  value !== null && pattern.test(value) ? value : undefined;

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => {
  const actor = toInteger(query.get('actor'));
  return {
    actor,
    subject:
      actor === undefined ? matching(query.get('subject'), /^[a-z]+:[\w-]{1,64}$/) : undefined,
    action: matching(query.get('action'), /^[a-z]+\.[a-z-]{1,40}$/),
    from: toDay(query.get('from')),
    to: toDay(query.get('to')),
    open: matching(query.get('open'), /^[\d-]{10}T[\d:.]{12}Z\.[\w-]{1,32}$/),
  };
};

/** Returns path and query of a view. */
export const toUrl = ({ actor, subject, action, from, to, open }: View): string =>
  writeUrl('/audit', { actor, subject, action, from, to, open });

/** Returns whether a view leaves entries out. */
export const isFiltered = ({ actor, subject, action, from, to }: Filter): boolean =>
  [actor, subject, action].some((one) => one !== undefined) || from !== '' || to !== '';
