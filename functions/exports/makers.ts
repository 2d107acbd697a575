import type { ExportMaker } from '../../shared/exports/export-maker.ts';

/** How each kind of export is made. Groups declare that of their list in `export-maker.ts`. */
export const makers: readonly ExportMaker[] = [];
