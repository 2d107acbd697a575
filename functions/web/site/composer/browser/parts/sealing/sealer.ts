// Seals what is written. What is the same is sealed once, so that sending it again is the same request.
import {
  openContent,
  openFile,
  type SealedContent,
  type SealedFile,
  sealContent,
  sealFile,
} from '../../../../../browser/sealed/content.ts';
import {
  createFragment,
  readKey,
  type SealKey,
  toProof,
} from '../../../../../browser/sealed/key.ts';

/** A file that was sealed, and the path at which it is stored. */
export interface SealedBlob {
  readonly path: string;
  /** The id of its envelope. */
  readonly id: string;
  readonly bytes: Blob;
}

/** Seals with one key. */
export interface Sealer {
  /** The fragment of its key, without the `#`. */
  readonly fragment: string;
  readonly proof: string;
  /** Seals a content; the same one again is the same envelope. */
  sealContent(content: SealedContent): Promise<string>;
  /** Seals a file, once. */
  sealFile(bytes: Blob): Promise<SealedBlob>;
  /** Opens a stored file. @throws SealedError as `open` */
  openFile(
    file: Pick<SealedFile, 'id' | 'size'>,
    envelope: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns a file as it was sealed; `undefined` for one that wasn’t. */
  findSealed(bytes: Blob): Blob | undefined;
}

/** A stored share that was opened, and what seals it again. */
export interface OpenedShare {
  readonly sealer: Sealer;
  readonly content: SealedContent;
}

const toSealer = async (fragment: string, key: SealKey): Promise<Sealer> => {
  const sealing = new Map<Blob, Promise<SealedBlob>>();
  const sealed = new Map<Blob, Blob>();
  let last: { readonly plain: string; readonly envelope: string } | undefined;

  const sealOne = async (bytes: Blob): Promise<SealedBlob> => {
    const { id, bytes: envelope } = await sealFile(key, new Uint8Array(await bytes.arrayBuffer()));
    const blob = new Blob([envelope]);
    sealed.set(bytes, blob);
    // Tells nothing, unlike a number, which says what came first.
    return { path: `${crypto.randomUUID()}.sealed`, id, bytes: blob };
  };

  return {
    fragment,
    proof: await toProof(key),
    openFile: (file, envelope) => openFile(key, file, envelope),
    findSealed: (bytes) => sealed.get(bytes),
    sealContent: async (content) => {
      const plain = JSON.stringify(content);
      if (last?.plain !== plain) last = { plain, envelope: await sealContent(key, content) };
      return last.envelope;
    },
    sealFile: (bytes) => {
      const known = sealing.get(bytes);
      if (known) return known;
      const mine = sealOne(bytes);
      sealing.set(bytes, mine);
      mine.catch(() => sealing.delete(bytes));
      return mine;
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
