import { api } from '../shell/api.ts';

/** The largest thumbnail that the service stores. Bytes. */
const maxBytes = 12 * 1024;

/** Decoding a larger file could take all memory of a phone. Bytes. */
const maxImageBytes = 100 * 1024 ** 2;

/** The longest side in pixels and the quality, tried one after another until the picture is small enough. */
const attempts = [
  [160, 0.8],
  [160, 0.5],
  [96, 0.5],
] as const;

const toBlob = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));

const draw = (image: ImageBitmap, side: number, ground?: string): HTMLCanvasElement => {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  if (ground !== undefined) {
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
};

/** Encodes a WebP, or a JPEG on white where the browser can't write WebP. */
const encode = async (image: ImageBitmap, side: number, quality: number): Promise<Blob | null> => {
  const blob = await toBlob(draw(image, side), 'image/webp', quality);
  if (blob?.type === 'image/webp') return blob;
  return toBlob(draw(image, side, 'white'), 'image/jpeg', quality);
};

/** Makes a thumbnail of an image; `undefined` if none is small enough. */
const makeThumbnail = async (file: File): Promise<Blob | undefined> => {
  const image = await createImageBitmap(file);
  try {
    for (const [side, quality] of attempts) {
      const blob = await encode(image, side, quality);
      if (blob && blob.size <= maxBytes) return blob;
    }
    return undefined;
  } finally {
    image.close();
  }
};

/**
 * Makes a thumbnail of an uploaded image and stores it. Returns whether it did: not if it would be too large.
 * @throws any error if the browser can't decode the image or the service refuses it
 */
export const sendThumbnail = async (id: number, file: File): Promise<boolean> => {
  if (file.size > maxImageBytes) return false;
  const blob = await makeThumbnail(file);
  if (!blob) return false;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const image = btoa(String.fromCharCode(...bytes));
  await api.call('PUT /api/files/{id}/thumbnail', { params: { id }, body: { image } });
  return true;
};
