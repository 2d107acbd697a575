import { toast } from '../components/toast.tsx';

/** Copies a text and says so, or that it couldn’t be copied. Returns whether it was. */
export const copyText = async (text: string, done: string, failed: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: done });
    return true;
  } catch {
    toast({ text: failed, kind: 'bad' });
    return false;
  }
};
