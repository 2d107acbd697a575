import { describe, expect, it } from 'vitest';
import { parseView, shows, toUrl } from '../../../../functions/web/site/messages/view.ts';

describe('the address of the messages page', () => {
  it('says what is listed, searched and open, and ignores unknown values', () => {
    for (const show of shows) {
      for (const own of [
        { open: 7, at: undefined, isNew: false },
        { open: 7, at: 9, isNew: false },
        { open: undefined, at: undefined, isNew: true },
      ]) {
        const view = { show, search: 'one two', ...own };
        const { searchParams } = new URL(toUrl(view), 'http://localhost');
        expect(parseView(searchParams)).toEqual(view);
      }
    }
    const nothing = {
      show: 'all',
      search: '',
      open: undefined,
      at: undefined,
      isNew: false,
    } as const;
    expect(toUrl(nothing)).toBe('/messages');
    expect(parseView(new URLSearchParams('show=other&open=-7&at=9'))).toEqual(nothing);
    expect(parseView(new URLSearchParams('new=1&open=7'))).toEqual({ ...nothing, isNew: true });
  });
});
