/** An email as the mailbox holds it. */
export interface StoredMail {
  /** Counts from 1. */
  readonly id: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly from: string;
  readonly destination: {
    readonly to: readonly string[];
    readonly cc: readonly string[];
    readonly bcc: readonly string[];
  };
  readonly subject: string;
  /** What SES would repeat in the events about it. */
  readonly tags: Readonly<Record<string, string>>;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: { readonly text: string; readonly html: string };
}

/** The number of newest emails that are stored. */
export const maxStored = 1_000;

/** Creates the memory of the newest emails. */
export const createMailStore = () => {
  let mails: StoredMail[] = [];
  let lastId = 0;
  return {
    add: (mail: Omit<StoredMail, 'id'>): number => {
      lastId += 1;
      mails = [...mails.slice(1 - maxStored), { ...mail, id: lastId }];
      return lastId;
    },
    /** Returns the emails after an id, in order. */
    list: (after = 0): readonly StoredMail[] => mails.filter(({ id }) => id > after),
    find: (id: number): StoredMail | undefined => mails.find((mail) => mail.id === id),
    clear: (): void => {
      mails = [];
    },
  };
};
