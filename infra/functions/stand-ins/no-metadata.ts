/** Replaces the metadata of classes, which only the code of certificates needs. */
export {};
