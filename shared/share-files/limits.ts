const megabyte = 1024 * 1024;

/** The most files of a share, with its main page. */
export const maxFiles = 200;

/** The most bytes that all files of a share have together. */
export const maxFilesBytes = 25 * megabyte;

/** The most bytes of a file, because a response of AWS Lambda takes no more than 6 MB, in Base64. */
export const maxFileBytes = 4 * megabyte;

/** The most bytes of a main page in HTML, as text and as it is stored, compressed by gzip. */
export const maxHtmlBytes = 16 * megabyte;
export const maxHtmlGzipBytes = 4 * megabyte;

/** The most bytes of Markdown, which is converted. */
export const maxMarkdownBytes = 512 * 1024;

/** The longest path of a file. UTF-16 units. */
export const maxPathLength = 200;

/** The most bytes of a request with files: a form of several parts, or a ZIP archive. */
export const maxFormBytes = 4 * megabyte;

/** How many times its compressed size a file in a ZIP archive can have, and all of them. */
export const maxZipRatio = 100;

/** The most entries that are read of a ZIP archive: folders and files that are left out count. */
export const maxZipEntries = 2_000;

/** The most missing references that are listed. */
export const maxMissing = 100;
