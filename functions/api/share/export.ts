import type * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ListText, type TextOptions, toListText } from '../../../shared/exports/list-text.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { containsWords } from '../../../shared/text/fold.ts';
import { toSummaryResponse } from './changing/edit-check.ts';
import type { ShareExportQuery } from './export-query.ts';
import { assertListable, toShareFilter } from './listing/filters.ts';
import {
  readAllPage,
  readOwnPage,
  type ShareFilter,
  type StatusFilter,
} from './listing/listing.ts';
import { ManagedShare, toManaged } from './moderation/managed-share.ts';
import { optionNames } from './record/options.ts';
import { ShareSummary } from './requests/schemas.ts';

type Query = z.output<typeof ShareExportQuery>;
type Shown = z.output<typeof ShareSummary>;
type Managed = z.output<typeof ManagedShare>;

/** The columns of a file of shares. */
export const shareColumns = <Row extends Shown>(): readonly Column<Row>[] => {
  const columns: readonly Column<Shown>[] = [
    ...fieldColumns<Shown>('id', 'url', 'language', 'status', ...optionNames),
    ...fieldColumns<Shown>('titleIsGiven', 'submittedBy', 'protected', 'views', 'viewsLeft'),
    ...fieldColumns<Shown>('expiresAt', 'endedBy', 'firstViewedAt', 'lastViewedAt'),
    ['files', ({ fileTotals }) => fileTotals?.count],
    ['bytes', ({ fileTotals }) => fileTotals?.bytes],
    ...fieldColumns<Shown>('sealed', 'sealedBytes', 'passphrase'),
    ...fieldColumns<Shown>('createdAt', 'updatedAt', 'version'),
  ];
  return columns;
};

/** The columns of a file of the shares of all users. */
export const managedColumns: readonly Column<Managed>[] = [
  ...shareColumns<Managed>(),
  ...fieldColumns<Managed>('ownerId', 'ownerName', 'reports', 'reportedAt', 'takenDownAt'),
];

/** Selects a user's own shares. */
export interface OwnFilter {
  readonly status?: StatusFilter | undefined;
  /** Words of the title and the description. */
  readonly search?: string | undefined;
  readonly audience?: Shown['audience'] | undefined;
}

const matches = (share: Shown, { search = '', audience }: OwnFilter): boolean =>
  (audience === undefined || share.audience === audience) &&
  containsWords(`${share.title ?? ''} ${share.description ?? ''}`, search);

const ownShareText = (actor: Actor, filter: OwnFilter, options: TextOptions): ListText =>
  toListText(
    {
      name: 'shares',
      row: ShareSummary,
      columns: shareColumns(),
      read: async (page) => {
        const { items, nextCursor } = await readOwnPage(actor.user.id, filter.status, page);
        const shown = items.map((found) => toSummaryResponse(actor, found));
        return { items: shown.filter((share) => matches(share, filter)), nextCursor };
      },
    },
    options,
  );

const managedShareText = (callerId: number, filter: ShareFilter, options: TextOptions): ListText =>
  toListText(
    {
      name: 'shares',
      row: ManagedShare,
      columns: managedColumns,
      read: async (page) => {
        const { items, nextCursor } = await readAllPage(callerId, filter, page);
        return { items: items.map(toManaged), nextCursor };
      },
    },
    options,
  );

/** Asserts that no filter is of the other list. */
const assertOwnFilters = (query: Query, names: readonly (keyof Query)[], rule: string): void => {
  const other = names.find((name) => query[name] !== undefined);
  if (other !== undefined) throw invalidField(other, rule);
};

/**
 * Opens the list of the actor's own shares, or of those of all users, to take it out.
 * @throws AppError FORBIDDEN without a permission; VALIDATION_ERROR about a filter
 */
export const openShareExport = async (actor: Actor, query: Query): Promise<ListText> => {
  if (query.mine === 'true') {
    assertOwnFilters(query, ['reported', 'ownerId'], 'cannot be combined with mine');
    return ownShareText(actor, query, query);
  }
  assertMayView(actor, 'shares:export', 'shares:manage');
  assertOwnFilters(query, ['status', 'search', 'audience'], 'takes mine=true');
  const filter = toShareFilter(query);
  assertListable(filter, query);
  return managedShareText(actor.user.id, filter, query);
};
