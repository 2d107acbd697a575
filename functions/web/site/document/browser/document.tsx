import '../../../browser/common.ts';
