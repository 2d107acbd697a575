/** The files of a page: the address of each by its path, and the path of the page. */
export interface Files {
  readonly page: string;
  readonly byPath: ReadonlyMap<string, string>;
}

/** The host that files seem to be on. The composer writes it for `import.meta.url`. */
const host = 'share-file.invalid';

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

/** Finds the files of a page for what its scripts load, and reports the paths of links to them. */
export const followAddresses = (files: Files, report: (path: string) => void): void => {
  const findPath = createPathFinder(files);
  const find: Find = (address) => {
    const path = findPath(address);
    return (path !== undefined && files.byPath.get(path)) || undefined;
  };
  followRequests(find);
  followElements(find);
  followLinks(findPath, report);
};
