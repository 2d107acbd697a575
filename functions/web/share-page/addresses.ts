/** The address of a share’s source and of the files in it. */
export interface SourceAddresses {
  /** The source, or the exact text of a file. */
  raw(file?: string): string;
  /** As a file that is saved; `page` is the page as one HTML file. */
  download(file?: string): string;
  readonly page: string;
}

/** Returns the addresses of a share’s source. A limited share needs the token of its view. */
export const sourceAddresses = (id: string, view: string | undefined): SourceAddresses => {
  const address = (file: string | undefined, download: string): string => {
    const query = [
      ...(view === undefined ? [] : [`view=${view}`]),
      ...(file === undefined ? [] : [`file=${encodeURIComponent(file)}`]),
      ...(download === '' ? [] : [download]),
    ].join('&');
    return `/s/${id}/raw${query === '' ? '' : `?${query}`}`;
  };
  return {
    raw: (file) => address(file, ''),
    download: (file) => address(file, 'download'),
    page: address(undefined, 'download=page'),
  };
};
