import { tell } from './report.ts';

const notice = () => tell('unavailable');

/** Tells the page that a snippet uses what browsers refuse to it. They still do. */
export const tellRefusals = (): void => {
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  Object.defineProperty(Document.prototype, 'cookie', {
    get() {
      notice();
      return cookie?.get?.call(this);
    },
    set(value) {
      notice();
      cookie?.set?.call(this, value);
    },
  });
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...given) {
    notice();
    return open.apply(this, given);
  };
};

/** Takes away connections to other browsers. A frame that the snippet makes has its own (decisions.md#isolation). */
export const removePeerConnections = (): void => {
  for (const prefix of ['', 'webkit', 'moz']) {
    Reflect.deleteProperty(self, `${prefix}RTCPeerConnection`);
  }
};
