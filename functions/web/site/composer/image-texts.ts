/** A longer name is cut. Code points. */
const maxNameLength = 60;

const cut = (name: string): string => {
  const letters = [...name];
  return letters.length > maxNameLength ? `${letters.slice(0, maxNameLength).join('')}…` : name;
};

/** Texts of the composer about images. Its worker has them, because most texts have no need of them. */
export const imageTexts = {
  notShown: (first: string, count: number) =>
    count === 1
      ? `“${cut(first)}” won’t be shown: images need an https address.`
      : `${count.toLocaleString('en')} images won’t be shown, such as “${cut(first)}”: images need an https address.`,
} as const;
