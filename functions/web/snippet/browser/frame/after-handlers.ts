/** Calls a function after all other listeners of an event, unless one of them has prevented its default action. */
export const afterHandlers = <Name extends 'click' | 'submit'>(
  name: Name,
  act: (event: WindowEventMap[Name]) => void,
): void =>
  addEventListener(
    name,
    // The listeners of the snippet are there by now, so this one comes last.
    () => addEventListener(name, (event) => event.defaultPrevented || act(event), { once: true }),
    true,
  );
