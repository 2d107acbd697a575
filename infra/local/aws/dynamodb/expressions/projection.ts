import { type AttributeValue, getAttribute, type Item } from '../values/attribute-value.ts';
import { type Bindings, OperandParser, type Path, resolvePath, showPath } from './operands.ts';

/** The wanted parts of an item: whole values, or parts of them. */
export type Projection = ReadonlyMap<string | number, Projection | 'whole'>;

/** Parses projection expressions. */
export class ProjectionParser extends OperandParser {
  parse(): Path[] {
    const paths = [this.path()];
    while (this.reader.accept(',')) paths.push(this.path());
    this.end();
    this.checks.push((bindings) => this.#assertDisjoint(paths, bindings));
    return paths;
  }

  #assertDisjoint(paths: readonly Path[], bindings: Bindings): void {
    const resolved = paths.map((path) => resolvePath(path, bindings));
    for (const [at, path] of resolved.entries()) {
      const overlapping = resolved.find(
        (other, index) =>
          index < at && path.every((part, n) => n >= other.length || part === other[n]),
      );
      if (!overlapping) continue;
      throw this.reader.error(
        `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${showPath(overlapping)}, path two: ${showPath(path)}`,
      );
    }
  }
}

/** Creates the projection to some paths. */
export const toProjection = (paths: readonly (readonly (string | number)[])[]): Projection => {
  const root = new Map<string | number, Projection | 'whole'>();
  for (const path of paths) {
    let node = root;
    for (const [at, part] of path.entries()) {
      const child = node.get(part);
      if (at === path.length - 1) node.set(part, 'whole');
      else if (child === 'whole') break;
      else {
        const next = new Map(child);
        node.set(part, next);
        node = next;
      }
    }
  }
  return root;
};

const projectValue = (
  value: AttributeValue,
  parts: Projection | 'whole',
): AttributeValue | undefined => {
  if (parts === 'whole') return value;
  if (value.M) {
    const M = projectItem(value.M, parts);
    return Object.keys(M).length > 0 ? { M } : undefined;
  }
  if (!value.L) return undefined;
  const L = value.L.flatMap((element, at) => {
    const wanted = parts.get(at);
    return (wanted && projectValue(element, wanted)) ?? [];
  });
  return L.length > 0 ? { L } : undefined;
};

/** Returns the wanted parts of an item that exist. */
export const projectItem = (item: Item, parts: Projection): Item =>
  Object.fromEntries(
    [...parts].flatMap(([name, wanted]) => {
      const value = getAttribute(item, String(name));
      const projected = value && projectValue(value, wanted);
      return projected ? [[String(name), projected]] : [];
    }),
  );
