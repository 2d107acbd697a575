import { describe, expect, it } from 'vitest';
import { filters, parseView, toUrl } from '../../../../functions/web/site/notifications/view.ts';

describe('the address of the notifications page', () => {
  it('says what is listed and open, and ignores unknown values', () => {
    for (const show of filters) {
      for (const open of ['settings', undefined] as const) {
        const { searchParams } = new URL(toUrl({ show, open }), 'http://localhost');
        expect(parseView(searchParams)).toEqual({ show, open });
      }
    }
    expect(toUrl({ show: 'all', open: undefined })).toBe('/notifications');
    expect(parseView(new URLSearchParams('show=other&open=7'))).toEqual({
      show: 'all',
      open: undefined,
    });
  });
});
