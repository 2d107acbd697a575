import { describe, expect, it } from 'vitest';
import { createMathRenderer } from '../../../shared/markdown/math/mathml.ts';

const render = (tex: string): string => createMathRenderer(() => 0, 1e6)(tex, false) ?? '';

/** The lengths of a formula, in their order. */
const lengthsOf = (tex: string): string[] =>
  Array.from(
    render(tex).matchAll(
      / ((?:width|height|depth|lspace|rspace|voffset|mathsize|minsize|linethickness)="[^"]*")/g,
    ),
    ([, length = '']) => length,
  );

describe('the lengths of math', () => {
  // temml writes points of TeX as those of CSS.
  it.each([
    ['a\\quad b\\hspace{1em}c', ['width="1em"', 'width="1em"']],
    ['\\rule{1em}{1em}', ['width="1em"', 'height="1em"']],
    ['\\rule{3cm}{0.4pt}', ['width="3cm"', 'height="0.3985pt"']],
    ['\\raisebox{0.5em}{x}', ['voffset="0.5em"']],
    ['\\lower3pt\\hbox{x}', ['voffset="-2.9888pt"']],
    ['\\smash{x}', ['height="0px"', 'depth="0px"']],
    ['{\\Huge x}', ['mathsize="2.4880em"']],
    ['\\Biggl(x', ['minsize="3em"']],
    ['\\not=', ['lspace="0em"', 'rspace="0em"']],
  ])('of %s stay as they are', (tex, lengths) => {
    expect(lengthsOf(tex)).toEqual(lengths);
  });

  it.each([
    ['\\raisebox{14em}{x}', ['voffset="2em"']],
    ['\\lower 14in\\hbox{x}', ['voffset="-2em"']],
    ['\\rule{2000em}{2000em}', ['width="40em"', 'height="20em"']],
    ['\\rule{-5em}{2em}', ['width="0em"', 'height="2em"']],
    ['\\hspace{900cm}', ['width="40em"']],
    ['x\\mskip 90000mu y', ['width="40em"']],
    ['\\genfrac{}{}{50em}{}{a}{b}', ['linethickness="1em"']],
    ['{\\Huge \\rule{30em}{1em}}', ['mathsize="2.4880em"', 'width="16.0772em"', 'height="1em"']],
  ])('of %s are bounded, whatever their unit and size of text', (tex, lengths) => {
    expect(lengthsOf(tex)).toEqual(lengths);
  });

  it('add up to no more where one stands in the other', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'x' : `\\raisebox{1.5em}{$${nested(depth - 1)}$}`;
    expect(lengthsOf(nested(4))).toEqual([
      'voffset="1.5em"',
      'voffset="0.5em"',
      'voffset="0em"',
      'voffset="0em"',
    ]);
  });

  it('add up to no more where many stand side by side', () => {
    const sum = (name: string, tex: string) =>
      lengthsOf(tex).reduce(
        (total, length) =>
          total + Number(new RegExp(`^${name}="([\\d.]+)em"`).exec(length)?.[1] ?? 0),
        0,
      );
    expect(sum('width', '\\hspace{30em}'.repeat(100))).toBe(200);
    expect(sum('height', '\\rule{0em}{15em}\\\\'.repeat(100))).toBeLessThanOrEqual(200);
  });

  it('make a formula scroll within its line if it may be wider', () => {
    expect(render('x'.repeat(20))).toMatch(/^<math><mrow>/);
    expect(render('x'.repeat(40))).toMatch(/^<math class="tml-wide">/);
    expect(render('\\hspace{30em}')).toMatch(/^<math class="tml-wide">/);
  });
});
