// A bundle of its own, because its library is as large as the command.
import { unzip } from '../../../../shared/share-files/unzip.ts';
import { ZipProblem } from '../../../../shared/share-files/zip-problem.ts';

/** The files of an archive, or all that is wrong with it. */
export type Unpacked =
  | { readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[] }
  | { readonly files?: never; readonly problems: readonly string[] };

/** Unpacks a ZIP archive. @throws the reason of the signal */
export const unpack = async (archive: Uint8Array, signal: AbortSignal): Promise<Unpacked> => {
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  try {
    await unzip(archive, ({ path, bytes }) => void files.push({ path, bytes }), signal);
    return { files };
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error;
    const { details, message } = error;
    return { problems: details.length > 0 ? details.map((one) => one.message) : [message] };
  }
};
