/** Texts for when the browser is online again. */
export const backOnlineTexts = {
  online: (sent: number) => {
    const changes = sent === 1 ? '1 change' : `${sent.toLocaleString('en')} changes`;
    return sent === 0 ? 'You’re online.' : `You’re online. ${changes} sent.`;
  },
} as const;
