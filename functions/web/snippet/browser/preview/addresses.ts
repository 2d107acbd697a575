/** The files of a page: the address of each by its path, and the path of the page. */
export interface Files {
  readonly page: string;
  readonly byPath: ReadonlyMap<string, string>;
  /** Whether nothing of it may be asked of the frame’s own host. */
  readonly isSealed: boolean;
}

/** The host that files seem to be on. The composer writes it for `import.meta.url`. */
const host = 'share-file.invalid';

/** What loads nothing. */
const nothing = 'data:,';

type Find = (address: unknown) => string | undefined;

/** Returns the path of a file that an address of the page leads to. */
const createPathFinder = ({ page, byPath }: Files): Find => {
  const base = `https://${host}/${page}`;
  const folder = page.slice(0, page.lastIndexOf('/') + 1);
  return (address) => {
    try {
      const url = new URL(String(address), base);
      // Scripts that resolve addresses themselves get those of the frame, which is beside nothing.
      const isOfFrame = url.host === location.host;
      if (url.host !== host && !isOfFrame) return undefined;
      const path = (isOfFrame ? folder : '') + decodeURIComponent(url.pathname).slice(1);
      return [path, `${path}index.html`, `${path}/index.html`].find((one) => byPath.has(one));
    } catch {
      return undefined;
    }
  };
};

/** Returns the address from which relative ones of a sealed page lead: its author’s, or one that no host has. */
const findBase = (html: string): string => {
  const none = `https://${host}/`;
  const given = new DOMParser().parseFromString(html, 'text/html').querySelector('base[href]');
  const { href, protocol, host: chosen } = new URL(given?.getAttribute('href') ?? '', none);
  return protocol.startsWith('http') && chosen !== location.host ? href : none;
};

/** Writes the element that leads relative addresses of a sealed page away from the frame’s own host, which would learn them. */
export const writeBase = (html: string): string =>
  `<base href="${findBase(html).replaceAll('&', '&amp;').replaceAll('"', '%22')}">`;

/** Whether an address leads to the frame’s own host. */
const isOfFrame = (address: unknown): boolean => {
  try {
    return new URL(String(address), document.baseURI).host === location.host;
  } catch {
    return false;
  }
};

/** Finds files for what scripts load. */
const followRequests = (find: Find): void => {
  const { fetch, Worker } = self;
  self.fetch = (input, init) =>
    fetch(input instanceof Request ? input : (find(input) ?? input), init);
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (...given: [string, string | URL]) {
    const [method, url, ...more] = given;
    open.apply(this, [method, find(url) ?? url, ...more] as unknown as Parameters<typeof open>);
  };
  self.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(find(url) ?? url, options);
    }
  };
};

/** The properties by which elements load something. */
const listLoading = () =>
  [
    [HTMLImageElement, 'src'],
    [HTMLScriptElement, 'src'],
    [HTMLMediaElement, 'src'],
    [HTMLSourceElement, 'src'],
    [HTMLIFrameElement, 'src'],
    [HTMLLinkElement, 'href'],
  ] as const;

/** Finds files for the elements that scripts make. */
const followElements = (find: Find): void => {
  const loading = listLoading();
  for (const [{ prototype }, name] of loading) {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, {
      ...property,
      set(value) {
        property?.set?.call(this, find(value) ?? value);
      },
    });
  }
  const isLoading = (element: Element, name: string): boolean =>
    loading.some(([kind, one]) => one === name && element instanceof kind);
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    const found = isLoading(this, name.toLowerCase()) ? find(value) : undefined;
    setAttribute.call(this, name, found ?? value);
  };
  // What is written as HTML.
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      for (const element of [node, ...node.querySelectorAll('[src],link[href]')]) {
        for (const name of ['src', 'href']) {
          const value = element.getAttribute(name);
          if (value !== null && isLoading(element, name) && find(value)) {
            element.setAttribute(name, value);
          }
        }
      }
    }
  }).observe(document, { childList: true, subtree: true });
};

/** Reports links to other files of the share. */
const followLinks = (findPath: Find, report: (path: string) => void): void =>
  addEventListener(
    'click',
    (event) => {
      const link = event
        .composedPath()
        .find((one): one is Element => one instanceof Element && one.matches('a[href],area[href]'));
      const address = link?.getAttribute('href') ?? '#';
      const path = address.startsWith('#') ? undefined : findPath(address);
      if (path === undefined) return;
      event.preventDefault();
      report(path);
    },
    true,
  );

/** Makes links within a sealed page lead there, which has another base, and its other relative links nowhere. */
const followSealedLinks = (reportLink: (address: string) => void): void =>
  addEventListener(
    'click',
    (event) => {
      const link = event
        .composedPath()
        .find((one): one is Element => one instanceof Element && one.matches('a[href],area[href]'));
      const address = link?.getAttribute('href') ?? '';
      if (address.startsWith('#')) location.hash = address;
      else if (link && new URL(address, document.baseURI).host === host) reportLink(address);
      else return;
      event.preventDefault();
    },
    true,
  );

/** How a page is told of links that lead elsewhere. */
interface Reports {
  /** To another file of the share. */
  readonly file: (path: string) => void;
  /** To nothing. */
  readonly nowhere: (address: string) => void;
}

/** Finds the files of a page for what its scripts load, and reports links to them. */
export const followAddresses = (files: Files, reports: Reports): void => {
  const findPath = createPathFinder(files);
  const find: Find = (address) => {
    const path = findPath(address);
    const found = (path !== undefined && files.byPath.get(path)) || undefined;
    return found ?? (files.isSealed && isOfFrame(address) ? nothing : undefined);
  };
  followRequests(find);
  followElements(find);
  followLinks(findPath, reports.file);
  if (files.isSealed) followSealedLinks(reports.nowhere);
};
