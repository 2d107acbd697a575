import type { DemoService } from '../demo-service.ts';
import type { PageState } from '../page-state.ts';

const route = '/s/{id}';
const share = (title: string) => async (demo: DemoService) => `/s/${await demo.shareId(title)}`;

/** The pages of shares, for readers. */
export const readerStates: readonly PageState[] = [
  { name: 'share-markdown', route, path: share('Submission guidelines') },
  { name: 'share-code', route, path: share('EPUB build notes') },
  { name: 'share-html', route, path: share('Spring catalogue') },
  { name: 'share-password', route, path: share('Wholesale prices') },
  { name: 'share-view-limit', route, path: share('Proof of Nine Rivers, chapter 1') },
  {
    name: 'share-ended',
    route,
    path: async (demo) => `/s/${await demo.endedShareId()}`,
    status: 410,
  },
  { name: 'share-unknown', route, path: '/s/unknown-unknown-unknown', status: 404 },
  {
    name: 'report',
    route: '/s/{id}/report',
    path: async (demo) => `/s/${await demo.shareId('Submission guidelines')}/report`,
  },
];
