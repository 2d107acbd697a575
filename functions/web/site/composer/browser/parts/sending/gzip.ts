import { maxHtmlGzipBytes } from '../../../../../../../shared/share-files/limits.ts';
import { formatBytes } from '../../../content.ts';
import { refusalTexts as texts } from '../../../refusal-texts.ts';
import { countContentBytes, getContent, language } from '../content.ts';
import { tooLargeText } from '../file.ts';

const countGzipBytes = async (text: string): Promise<number> => {
  const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(gzip).arrayBuffer()).byteLength;
};

/** Returns why HTML can't be shared that isn't too long, but as gzip; `undefined` if it can. */
export const findGzipFault = async (): Promise<string | undefined> => {
  if (language.value !== 'html' || countContentBytes() <= maxHtmlGzipBytes) return undefined;
  const bytes = await countGzipBytes(getContent());
  if (bytes <= maxHtmlGzipBytes) return undefined;
  return tooLargeText('html', texts.compressed(formatBytes(bytes)));
};
