/** Texts of the notice above a frame. */
export const frameTexts = {
  deadLink: (address: string) => `“${address}” leads nowhere: a snippet is a single page`,
  formStopped: 'Snippets can’t send forms',
  keptForView: 'What it stores lasts for this view',
  unavailable: 'Snippets have no cookies and no IndexedDB',
  offersFile: (name: string) => `The snippet offers a file: ${name}`,
  blocked: (count: number) =>
    count === 1 ? '1 request blocked' : `${count === 30 ? '30+' : count} requests blocked`,
  blockedKinds: {
    connect: 'connection',
    img: 'image',
    script: 'script',
    style: 'style',
    font: 'font',
    media: 'audio or video',
    frame: 'frame',
    form: 'form',
    other: 'other',
  },
} as const;
