import '../../../browser/list-page.ts';
