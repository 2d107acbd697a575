import type * as z from 'zod';
import type { Actor } from '../auth/actor.ts';
import { success } from '../http/envelope.ts';
import type { RouteRequest } from '../http/route.ts';
import type { ListKind } from './export-kinds.ts';
import type { FileOptions } from './export-query.ts';
import { type ExportResponse, toExport } from './export-record.ts';
import type { ListText } from './list-text.ts';
import { orderExport } from './order-export.ts';

interface ListRequest extends Pick<RouteRequest, 'target' | 'recorder'> {
  readonly actor: Actor;
  readonly query: Pick<FileOptions, 'format'>;
}

/**
 * Asks for a whole list as a file. What cannot be listed is refused now, so its first row is read.
 * @throws AppError VALIDATION_ERROR or UNPROCESSABLE about a filter; CONFLICT while many wait
 */
export const orderList = async (
  kind: ListKind,
  list: ListText,
  { actor, query: { format }, target, recorder }: ListRequest,
): Promise<z.output<typeof ExportResponse>> => {
  await list.read({ size: 1 });
  const query = new URL(target, 'http://localhost').search.slice(1);
  return success(toExport(await orderExport(actor, { kind, format, query }, recorder)));
};
