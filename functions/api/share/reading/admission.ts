import { isSuspended, type StoredUser } from '../../../../shared/auth/user.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { createShortMemory } from '../../../../shared/runtime/short-memory.ts';
import { type Told, toTold } from '../../../../shared/webhooks/told.ts';
import { loadManifest, type Manifest } from '../files/manifest.ts';
import { assertReader, expectOwner, readOwner, type WithOwner } from '../record/author.ts';
import { isLinkId } from '../record/links.ts';
import { sealedError } from '../record/sealed.ts';
import {
  assertOpen,
  codeRequired,
  endedError,
  type FoundShare,
  modifiedMessage,
  notFound,
  type OpenedShare,
  type ShareAccess,
  type StoredShare,
} from '../record/share.ts';
import { type Asker, decide, type Reading } from './access.ts';
import { type Address, getAddressId, resolveAddress } from './address.ts';
import { loadShare } from './load.ts';
import { recordReceipt } from './receipts.ts';
import {
  loadWithTexts,
  type ReadShare,
  readAhead,
  readMatchingTexts,
  type TextName,
} from './texts.ts';

// The classes are exported as types only, so that nothing else creates what they say was checked.

/** In UTF-16 code units. */
const maxInlineLength = 64 * 1_024;
/** What these take in UTF-8 at most. */
const maxInlineBytes = 3 * maxInlineLength;

/** Whether texts that replaced those of the share since it was read can be read as well. */
interface Replaceable {
  readonly isReplaceable: boolean;
}

interface ReadOptions extends Replaceable {
  /** The name of its owner, which who opens it learns with the content. */
  readonly author?: string;
}

const loadIfAny = async ({ id, files }: StoredShare): Promise<Manifest | undefined> =>
  files && loadManifest(id, files);

/**
 * Reads the list of a share’s files, unless it is given.
 * @throws AppError SERVICE_UNAVAILABLE if it was replaced since the share was read
 */
const readListOf = async (
  share: StoredShare,
  given?: Manifest | false,
): Promise<Manifest | undefined> => {
  if (!share.files) return undefined;
  const manifest = given || (await loadIfAny(share));
  if (!manifest) throw new AppError('SERVICE_UNAVAILABLE', modifiedMessage);
  return manifest;
};

/** A share whose texts its caller may read. */
class ReadableShare implements FoundShare {
  readonly share: StoredShare;
  readonly access: ShareAccess;
  readonly #found: ReadShare;
  readonly #options: ReadOptions;

  constructor(found: ReadShare, options: ReadOptions) {
    this.share = found.share;
    this.access = found.access;
    this.#found = found;
    this.#options = options;
  }

  async #read(name: TextName): Promise<string> {
    const { texts } = await readMatchingTexts(this.#found, [name], this.#options);
    const text = texts[name];
    if (text === undefined) throw endedError();
    return text;
  }

  /**
   * Reads one text; only Markdown shares have `html` and `page`.
   * @throws AppError UNPROCESSABLE of a sealed share, whose texts only its readers have; GONE if the content is deleted;
   *   SERVICE_UNAVAILABLE if it was replaced and can't be read
   */
  async readText(name: TextName): Promise<string> {
    if (this.share.sealed) throw sealedError();
    return this.#read(name);
  }

  /**
   * Reads the content as it was sent: of a sealed share its envelope.
   * @throws AppError GONE and SERVICE_UNAVAILABLE as `readText`
   */
  readSent(): Promise<string> {
    return this.#read('source');
  }

  /**
   * Reads the texts of the API and the list of files, with the version of the share they belong to; of a sealed share, the
   * `source` is its envelope.
   * @throws AppError as `readSent` and `readManifest`
   */
  async readContent(): Promise<OpenedShare> {
    const names = ['source', 'html'] as const;
    const [{ share, texts }, expected] = await Promise.all([
      readMatchingTexts(this.#found, names, this.#options),
      loadIfAny(this.share),
    ]);
    if (texts.source === undefined) throw endedError();
    const manifest = await readListOf(share, this.share.files === share.files && expected);
    const { source, html } = texts;
    return { share, access: this.access, source, html, manifest, author: this.#options.author };
  }

  /**
   * Reads the list of its files, or returns `undefined` if it has none.
   * @throws AppError SERVICE_UNAVAILABLE if it was replaced since the share was read
   */
  readManifest(): Promise<Manifest | undefined> {
    return readListOf(this.share);
  }

  /**
   * Returns the source if it is short and already read, so that the page can include it.
   * @throws AppError as `readText`
   */
  async inlineSource(): Promise<string | undefined> {
    const { texts } = this.share;
    if (!texts || texts.place === 'bucket') return undefined;
    // What compresses well can be long wherever it is stored.
    if (texts.parts.some(({ name, bytes }) => name === 'source' && bytes > maxInlineBytes))
      return undefined;
    const source = await this.readText('source');
    return source.length <= maxInlineLength ? source : undefined;
  }
}

/** How a share was asked for, and who owns it. */
interface Context {
  readonly asker: Asker;
  readonly address: Address;
  readonly owner: StoredUser;
}

const isAskedByOwner = ({ ownerId }: StoredShare, { actor }: Asker): boolean =>
  actor?.user.id === ownerId;

/** A share that its reader may read now. */
class AdmittedShare extends ReadableShare {
  readonly reading: Reading;
  /** The name of its owner. */
  readonly author: string;
  /** What events of its owner are told of. */
  readonly told: Told;
  /** Whether the reader is the owner. */
  readonly isOwner: boolean;
  /** The id of the signed-in reader. */
  readonly reader: number | undefined;
  /** The token of the view that it is read by, if it takes one. */
  readonly view: string | undefined;
  /** The id of the recipient link that it was opened by. */
  readonly link: string | undefined;
  /** What a code proved, if the link asks for one. */
  readonly proofId: string | undefined;
  /** The id in all that its reader gets: of the recipient link, or its own. */
  readonly addressId: string;

  constructor(found: ReadShare, reading: Reading, { asker, address, owner }: Context) {
    // A view is one of the content that it was given for.
    super(found, { isReplaceable: reading !== 'counted' });
    this.reading = reading;
    this.author = owner.name;
    this.told = toTold(owner);
    this.isOwner = isAskedByOwner(found.share, asker);
    this.reader = asker.actor?.user.id;
    this.view = reading === 'counted' ? asker.view : undefined;
    this.link = address.link;
    this.proofId = address.proofId;
    this.addressId = getAddressId(address);
  }
}

interface LockedContext extends Context {
  readonly isUnproven: boolean;
}

/** A share that its reader may open, which consumes a view and can take a password. */
class LockedShare implements FoundShare {
  readonly reading = undefined;
  readonly share: StoredShare;
  readonly access: ShareAccess;
  /** What events of its owner are told of. */
  readonly told: Told;
  /** Whether the reader is the owner. */
  readonly isOwner: boolean;
  /** The id of the recipient link that it is opened by. */
  readonly link: string | undefined;
  /** What a code proved, if the link asks for one. */
  readonly proofId: string | undefined;
  /** The id in all that its reader gets: of the recipient link, or its own. */
  readonly addressId: string;
  /** The id of the signed-in reader. */
  readonly reader: number | undefined;
  /** Whether it was opened without the code that its link asks for, to report it. */
  readonly isUnproven: boolean;
  readonly #found: ReadShare;
  readonly #author: string;

  constructor(found: ReadShare, { asker, address, owner, isUnproven }: LockedContext) {
    this.told = toTold(owner);
    this.isUnproven = isUnproven;
    this.reader = asker.actor?.user.id;
    this.share = found.share;
    this.access = found.access;
    this.isOwner = isAskedByOwner(found.share, asker);
    this.link = address.link;
    this.proofId = address.proofId;
    this.addressId = getAddressId(address);
    this.#found = found;
    this.#author = owner.name;
  }

  /**
   * Gives access to the texts after `verify`. The caller has to consume a view before it shows them.
   * @throws AppError UNAUTHORIZED without a code that its link asks for; what `verify` throws
   */
  async unlock(
    verify: (locked: LockedShare) => Promise<void>,
    options: Replaceable,
  ): Promise<ReadableShare> {
    if (this.isUnproven) throw codeRequired();
    await verify(this);
    return new ReadableShare(this.#found, { ...options, author: this.#author });
  }
}

export type { AdmittedShare, LockedShare, ReadableShare };

/** What a reader gets of a share: it to read, or the way to open it. */
export type Admission = AdmittedShare | LockedShare;

/**
 * What the caller reads next, so that the admission reads it along: nothing, what the page shows (of an HTML share a
 * frame, which loads its source), or the source.
 */
type Next = 'nothing' | 'page' | 'source';

/** Counts a view. It is told to the owner, who is being read, with the reader of whom a receipt is written. */
export type CountView = (
  found: FoundShare,
  told: Promise<Told>,
  readerId: number | undefined,
) => Promise<void>;

/** What a route wants of an admission. */
interface Wanted {
  readonly next?: Next;
  /** Whether a slug finds no share. */
  readonly isById?: true;
  /** Whether a recipient link finds no share. */
  readonly isWithoutLinks?: true;
  /** Counts a view of a share that can be read any number of times, while its owner is read. */
  readonly countView?: CountView | undefined;
}

/** @throws AppError NOT_FOUND for an unknown address, or one of a kind that finds nothing here */
const findAddress = async (text: string, { isById, isWithoutLinks }: Wanted): Promise<Address> => {
  const isLink = isLinkId(text);
  if (isLink && isWithoutLinks) throw notFound();
  return isById && !isLink ? { id: text, isNamed: false } : resolveAddress(text);
};

/**
 * Admits a reader to a share, by its id, its slug or a recipient link, without consuming a view: the only way to what readers
 * get of it. Returns the share to read, or a locked one if it takes a view first. What decides is read by the same request, the
 * owner too.
 * @throws AppError UNAUTHORIZED if it isn't open to all and the reader is signed out, or a link asks for a code; NOT_FOUND; GONE if it or its link has
 *   ended, was taken down or its owner is suspended
 */
export const admit = async (
  text: string,
  asker: Asker = {},
  wanted: Wanted = {},
): Promise<Admission> => {
  const { next = 'nothing', countView } = wanted;
  const address = await findAddress(text, wanted);
  const { id } = address;
  const expected = expectOwner(id);
  const found =
    next === 'nothing' ? { ...(await loadShare(id)), known: undefined } : await loadWithTexts(id);
  const { share } = found;
  const { reading, reader, isUnproven = false } = await decide(found, asker, address);
  const isRead = next === 'source' || (next === 'page' && share.language === 'markdown');
  const ahead = reading !== undefined && isRead ? readAhead(found) : found;
  const present = readPresentOwner({ share, owner: expected }, asker, reading);
  const readerId = reading === 'reader' ? asker.actor?.user.id : undefined;
  const isCounted = reading === 'free' || reading === 'reader';
  const [owner] = await Promise.all([
    present,
    isCounted ? countView?.(found, present, readerId) : undefined,
    countView && recordReceipt(share, readerId),
    reader === undefined || reader === share.ownerId ? undefined : assertReader(reader),
  ]);
  const context = { asker, address, owner };
  return reading === undefined
    ? new LockedShare(found, { ...context, isUnproven })
    : new AdmittedShare(ahead, reading, context);
};

/**
 * Returns the owner, whom a removal or suspension takes the share from.
 * @throws AppError NOT_FOUND; GONE while the owner is suspended, except for those who can change the share
 */
const readPresentOwner = async (
  expected: WithOwner,
  { actor }: Asker,
  reading: Reading | undefined,
): Promise<StoredUser> => {
  const isEditor = reading === 'editor';
  if (isEditor && actor?.user.id === expected.share.ownerId) return actor.user;
  const owner = await readOwner(expected);
  if (isSuspended(owner) && !isEditor) throw endedError();
  return owner;
};

/**
 * Reads a share for someone who is no reader, such as its owner. `check` throws for anyone else.
 * @throws AppError NOT_FOUND, and what `check` throws
 */
export const admitEditor = async (
  id: string,
  check: (share: StoredShare) => void | Promise<void>,
): Promise<ReadableShare> => {
  const found = await loadWithTexts(id);
  await check(found.share);
  return new ReadableShare(found, { isReplaceable: true });
};

/** What everyone gets of a share. */
export interface Shared<Value> {
  readonly admission: Admission;
  readonly value: Value;
}

/**
 * Creates a memory of what everyone gets of shares, which keeps it for 2 s (decisions.md#edge). `load` makes it of an
 * admission without credentials; `variant` is what it depends on besides. The share is open at the time of each request.
 * @param maxSize of all values together, as `sizeOf` measures them
 * @param sizeOf returns `undefined` for a value that must not be kept
 */
export const createSharedMemory = <Value>(
  maxSize: number,
  sizeOf: (value: Value) => number | undefined,
  wanted: Omit<Wanted, 'countView'>,
) => {
  const remember = createShortMemory<Shared<Value>>(maxSize, ({ value }) => sizeOf(value));
  return async (
    address: string,
    load: (admission: Admission) => Promise<Value>,
    variant = '',
  ): Promise<Shared<Value>> => {
    const shared = await remember(`${address} ${variant}`, async () => {
      const admission = await admit(address, {}, wanted);
      return { admission, value: await load(admission) };
    });
    assertOpen(shared.admission);
    return shared;
  };
};
