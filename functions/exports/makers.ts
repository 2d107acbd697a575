import type { ExportMaker } from '../../shared/exports/export-maker.ts';
import { maker as ownData } from './export-maker.ts';
import { listMakers } from './list-makers.ts';

/** How each kind of export is made. */
export const makers: readonly ExportMaker[] = [ownData, ...listMakers];
