import { vi } from 'vitest';

/** An XMLHttpRequest whose test plays the network. */
export class FakeXhr {
  /** All requests, oldest first. */
  static readonly all: FakeXhr[] = [];
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly headers: Record<string, string> = {};
  status = 0;
  responseText = '';
  method = '';
  url = '';
  body: unknown;
  isAborted = false;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  open(method: string, url: string): void {
    this.method = method;
    this.url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getAllResponseHeaders(): string {
    return 'content-type: application/json\r\nETag: "7"\r\n';
  }
  send(body: unknown): void {
    this.body = body;
    FakeXhr.all.push(this);
  }
  abort(): void {
    if (this.status !== 0 || this.isAborted) return;
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }
  /** Reports that a part of the body has been sent. */
  progress(loaded: number, total: number): void {
    this.upload.onprogress?.({ loaded, total });
  }
  respond(status: number, body: unknown): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
    this.onloadend?.();
  }
  fail(): void {
    this.onerror?.();
    this.onloadend?.();
  }
}

/** Replaces XMLHttpRequest until `vi.unstubAllGlobals`, and returns its requests. */
export const useFakeXhr = (): readonly FakeXhr[] => {
  FakeXhr.all.length = 0;
  vi.stubGlobal('XMLHttpRequest', FakeXhr);
  return FakeXhr.all;
};
