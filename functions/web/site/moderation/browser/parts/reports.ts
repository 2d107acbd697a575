import { formatNumber } from '../../../../browser/data/format.ts';
import { moderationTexts as texts } from '../../texts.ts';

/** Says how many reports wait for a decision. */
export const countReports = (reports: number): string =>
  reports === 1 ? texts.oneReport : texts.count(formatNumber(reports));
