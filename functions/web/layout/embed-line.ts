const entities: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

/** Returns the line of HTML with which another site embeds the share at an address. */
export const embedLine = (url: string, title: string): string => {
  const escaped = title.replace(/[&"<]/g, (character) => entities[character] ?? '');
  return `<iframe src="${url}/embed" title="${escaped}" width="100%" height="480" style="border:0"></iframe>`;
};
