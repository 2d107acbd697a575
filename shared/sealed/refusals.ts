// What the service says to who doesn’t prove a key, by which clients tell it from a session that ended.

/** The message of the error for another key than that of the share. */
export const keyRefused = 'Incorrect key. Check the link and the passphrase.';
