/** Texts of lists about sealed shares, whose links lack the key unless this tab keeps it. */
export const sealedTexts = {
  sealed: 'Sealed',
  wholeLinkCopied: 'Whole link copied, with its key',
  copiedWithoutKey:
    'Link copied without its key. It opens only with the part behind the #, which is in the whole link.',
} as const;
