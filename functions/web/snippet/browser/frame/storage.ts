import { tell } from './report.ts';

/** As much as browsers keep of an origin: names and values, in UTF-16 code units. */
const maxLength = 5_242_880;

/** Creates a storage in memory. Its items are properties of its own, so lists of its properties are those of items. */
const createStorage = (): Storage => {
  let length = 0;
  const has = (name: string): boolean => Object.hasOwn(items, name);
  const measure = (name: string): number => (has(name) ? name.length + items[name].length : 0);
  const put = (name: unknown, given: unknown): true => {
    const [key, value] = [`${name}`, `${given}`];
    const next = length - measure(key) + key.length + value.length;
    if (next > maxLength) throw new DOMException('The storage is full.', 'QuotaExceededError');
    length = next;
    Object.defineProperty(items, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    tell('storage');
    return true;
  };
  const remove = (name: unknown): true => {
    length -= measure(`${name}`);
    return delete items[`${name}`] as true;
  };
  const methods = {
    __proto__: Storage.prototype,
    get length() {
      return Object.keys(items).length;
    },
    key: (at: number) => Object.keys(items)[at] ?? null,
    getItem: (name: unknown) => (has(`${name}`) ? items[`${name}`] : null),
    setItem: (name: unknown, value: unknown) => void put(name, value),
    removeItem: (name: unknown) => void remove(name),
    clear: () => Object.keys(items).forEach(remove),
  };
  const items = Object.create(methods);
  return new Proxy(items, {
    // An item never hides a method.
    get: (_, name) => (name in methods ? methods : items)[name],
    // Assignments define properties, too.
    defineProperty: (_, name, { value }) => put(name, value),
    deleteProperty: (_, name) => remove(name),
  });
};

/** Keeps for this view what browsers keep of no snippet, because it has no origin. */
export const keepStorage = (): void => {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      self[name];
    } catch {
      Object.defineProperty(self, name, { value: createStorage() });
    }
  }
};
