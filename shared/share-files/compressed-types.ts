const compressed =
  /^(image\/(?!svg|bmp|tiff|x-icon)|video\/|audio\/(?!wav|x-wav|vnd\.wave|aiff)|font\/woff|application\/(pdf|zip|gzip|x-(7z|rar|xz|bzip2?|gtar|compress)|vnd\.rar|zstd|epub|vnd\.(openxmlformats|oasis)))/;

/** Returns whether content of a media type is compressed already, so that compressing it again takes time for nothing. */
export const isCompressedType = (type: string): boolean => compressed.test(type);
