import { FilePart } from '../../../../shared/http/multipart.ts';

/** Files in the body of a request: parts of a form, or an archive. */
export class SentFiles {
  readonly parts: readonly FilePart[];
  readonly isArchive: boolean;

  constructor(parts: readonly FilePart[], isArchive = false) {
    this.parts = parts;
    this.isArchive = isArchive;
  }

  /** Represents the files in the hash that identifies an idempotent request. */
  toJSON(): unknown {
    return [this.isArchive, this.parts];
  }
}

const isArchive = ({ name, mediaType }: FilePart): boolean =>
  /\.zip$/i.test(name) || /^application\/(x-)?zip(-compressed)?$/i.test(mediaType ?? '');

/** Takes files of a form: one archive is unpacked later. */
export const toSentFiles = (parts: readonly FilePart[]): SentFiles => {
  const [first] = parts;
  return new SentFiles(parts, parts.length === 1 && first !== undefined && isArchive(first));
};

/** The name of an archive that has none. */
export const archiveName = 'archive.zip';

/** Takes an archive that is the body of a request. */
export const toSentArchive = (bytes: Buffer): SentFiles =>
  new SentFiles([new FilePart(archiveName, bytes)], true);
