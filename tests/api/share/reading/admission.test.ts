// Whether what readers get of a share comes from its admission alone. What it decides is proven where it is seen, such as in
// `tests/web/share-page`.
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Admission,
  type AdmittedShare,
  admit,
  type LockedShare,
} from '../../../../functions/api/share/reading/admission.ts';
import { loadShare } from '../../../../functions/api/share/reading/load.ts';
import {
  openContent,
  openView,
  openWithoutView,
} from '../../../../functions/api/share/reading/open.ts';
import {
  compareRevisions,
  listRevisions,
} from '../../../../functions/api/share/revisions/revisions.ts';
import { toSavedPage, toSource } from '../../../../functions/web/share-page/downloads.ts';
import { embedPage, lockedEmbed } from '../../../../functions/web/share-page/embed-page.ts';
import {
  openPage,
  viewRequiredPage,
} from '../../../../functions/web/share-page/gates/open-page.ts';
import { composePage } from '../../../../functions/web/share-page/page.ts';
import { savedPage } from '../../../../functions/web/share-page/saved-page.ts';
import { renderShare } from '../../../../functions/web/share-page/share-page.ts';
import { endPage } from '../../../../functions/web/share-page/simple-pages.ts';

type Found = Awaited<ReturnType<typeof loadShare>>;

/** All that can be seen of an admission. */
type Copy<Of> = { readonly [Name in keyof Of]: Of[Name] };

describe('the types of an admission', () => {
  it('keep a share that was not admitted from being read', () => {
    const read = async () => {
      const found = await loadShare('id');
      // @ts-expect-error: a share that was found has no texts
      await found.readText('source');
      const admission = await admit('id');
      // @ts-expect-error: a locked share has to be opened first
      await admission.readText('source');
      if (admission.reading !== undefined) await admission.readText('source');
    };
    expect(read).toBeTypeOf('function');
  });

  it('can be made by nothing else', () => {
    expectTypeOf<Copy<AdmittedShare>>().not.toExtend<AdmittedShare>();
    expectTypeOf<Copy<LockedShare>>().not.toExtend<LockedShare>();
    expectTypeOf<Found>().not.toExtend<Admission>();
  });

  it('are what every reader’s page, download and view is made of', () => {
    for (const make of [renderShare, embedPage, savedPage, toSavedPage, toSource]) {
      expectTypeOf(make).parameter(0).toEqualTypeOf<AdmittedShare>();
    }
    for (const make of [compareRevisions, listRevisions]) {
      expectTypeOf(make).parameter(0).toEqualTypeOf<AdmittedShare>();
    }
    for (const make of [lockedEmbed, viewRequiredPage]) {
      expectTypeOf(make).parameter(0).toEqualTypeOf<LockedShare>();
    }
    for (const make of [composePage, openPage, endPage, openContent, openWithoutView, openView]) {
      expectTypeOf(make).parameter(0).toEqualTypeOf<Admission>();
    }
  });
});
