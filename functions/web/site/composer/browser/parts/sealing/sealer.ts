// Seals what is written. What is the same is sealed once, so that sending it again is the same request.
import {
  openContent,
  openFile,
  type SealedContent,
  type SealedFile,
  sealContent,
} from '../../../../../browser/sealed/content.ts';
import { sealUpload } from '../../../../../browser/sealed/files.ts';
import {
  createFragment,
  readKey,
  type SealKey,
  toProof,
} from '../../../../../browser/sealed/key.ts';

/** A file before it is sealed. */
interface PlainFile extends Pick<SealedFile, 'name' | 'type'> {
  readonly bytes: Blob;
}

/** A file that was sealed: what the content says of it, and its envelope. */
export interface SealedBlob {
  readonly file: SealedFile;
  readonly envelope: Blob;
}

/** Seals with one key. */
export interface Sealer {
  /** The fragment of its key, without the `#`. */
  readonly fragment: string;
  readonly proof: string;
  /** Seals a content; the same one again is the same envelope. */
  sealContent(content: SealedContent): Promise<string>;
  /** Seals a file, whose bytes are sealed once, whatever it is called. */
  sealFile(file: PlainFile): Promise<SealedBlob>;
  /** Opens a stored file. @throws SealedError as `open` */
  openFile(
    file: Pick<SealedFile, 'id' | 'size'>,
    envelope: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the envelope of a file; `undefined` for one that wasn’t sealed. */
  findEnvelope(bytes: Blob): Blob | undefined;
}

/** A stored share that was opened, and what seals it again. */
export interface OpenedShare {
  readonly sealer: Sealer;
  readonly content: SealedContent;
}

const toSealer = async (fragment: string, key: SealKey): Promise<Sealer> => {
  const sealing = new Map<Blob, Promise<SealedBlob>>();
  const envelopes = new Map<Blob, Blob>();
  let last: { readonly plain: string; readonly envelope: string } | undefined;

  const sealOne = async ({ bytes, name, type }: PlainFile): Promise<SealedBlob> => {
    const plain = { name, type, bytes: new Uint8Array(await bytes.arrayBuffer()) };
    const { file, bytes: sealed } = await sealUpload(key, plain);
    const envelope = new Blob([sealed]);
    envelopes.set(bytes, envelope);
    return { file, envelope };
  };

  return {
    fragment,
    proof: await toProof(key),
    openFile: (file, envelope) => openFile(key, file, envelope),
    findEnvelope: (bytes) => envelopes.get(bytes),
    sealContent: async (content) => {
      const plain = JSON.stringify(content);
      if (last?.plain !== plain) last = { plain, envelope: await sealContent(key, content) };
      return last.envelope;
    },
    sealFile: async (file) => {
      const { bytes, name, type } = file;
      const known = sealing.get(bytes) ?? sealOne(file);
      sealing.set(bytes, known);
      const sealed = await known.catch((error) => {
        sealing.delete(bytes);
        throw error;
      });
      return { ...sealed, file: { ...sealed.file, name, type } };
    },
  };
};

/** Opens a stored share with the key of a fragment. @throws SealedError as `readKey` and `openContent` */
export const openShare = async (
  envelope: string,
  fragment: string,
  passphrase?: string,
): Promise<OpenedShare> => {
  const key = await readKey(fragment, passphrase);
  const content = await openContent(key, envelope);
  return { content, sealer: await toSealer(fragment, key) };
};

/** The key of a new share, until it is stored. */
interface NewKey {
  /**
   * Returns what seals a new share with this passphrase. The key stays, unless a request may have stored a share with it
   * whose answer was lost, and this is another request: each share has a key of its own.
   */
  choose(asked: string, passphrase: string | undefined): Promise<Sealer>;
  /** Notes that what was asked may be stored. */
  noteLost(): void;
}

/** Creates the keys of new shares. */
export const createNewKey = (): NewKey => {
  let current: Promise<Sealer> | undefined;
  let last: { readonly asked: string; readonly passphrase: string | undefined } | undefined;
  let isLost = false;
  return {
    choose: (asked, passphrase) => {
      const isOther = last?.passphrase !== passphrase || (isLost && last?.asked !== asked);
      if (!current || isOther) {
        const fragment = createFragment({ hasPassphrase: passphrase !== undefined });
        current = readKey(fragment, passphrase).then((key) => toSealer(fragment, key));
        isLost = false;
      }
      last = { asked, passphrase };
      return current;
    },
    noteLost: () => {
      isLost = true;
    },
  };
};
