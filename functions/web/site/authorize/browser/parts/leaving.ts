import { consentTexts as texts } from '../../texts.ts';
import { getParameter } from './requests.ts';
import { isReturn } from './return-address.ts';
import { createWay, showNotice } from './views.ts';

interface Leaving {
  readonly name: string;
  readonly isLoopback: boolean;
  readonly decision: 'allow' | 'deny';
  /** Whether Back must not lead here again, where the page would only send the person forth again. */
  readonly isReplaced?: boolean;
}

/**
 * Sends the person back to the app. Where that is no web page, this one stays open and says that it can be closed.
 * @throws Error for an address that doesn't lead back to the app
 */
export const leave = (
  address: string,
  { name, isLoopback, decision, isReplaced = false }: Leaving,
): void => {
  if (!isReturn(address, getParameter('redirectUri') ?? '')) {
    throw new Error('The address doesn’t lead back to the app');
  }
  const isApp = !/^https?:/i.test(address);
  if (isApp || isLoopback) {
    const open = () => location.assign(address);
    showNotice({
      title: texts.close,
      about: decision === 'allow' ? texts.allowed(name) : texts.denied(name),
      mark: decision === 'allow' ? 'check' : 'cross',
      ways: isApp ? [createWay(texts.nothingHappened(name), open)] : [],
    });
  }
  if (isReplaced) location.replace(address);
  else location.assign(address);
};
