export interface MissingReference { readonly path: string; readonly from: string; readonly line: number; readonly advice?: string }
export const rewriteRoots = (_path: string, text: string, _paths: readonly string[]): string => text;
export const findMissing = (_files: readonly { readonly path: string; readonly text: string | undefined }[]): readonly MissingReference[] => [];
