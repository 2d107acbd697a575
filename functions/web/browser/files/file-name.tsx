/** Of a long name: what may be cut, and its last eight letters, which tell what it is. An accent stays with its letter. */
const parts = /^(.{6,})(\P{M}.{7,})$/su;

/**
 * The name of a file. Where there is no room, it is cut in its middle, so that its end stays; copying takes all of it. What holds
 * it has the whole name as its title, and the page has `file-name.css`.
 */
export const FileName = ({ name }: { readonly name: string }) => {
  const [, start, end] = parts.exec(name) ?? [];
  return end === undefined ? (
    name
  ) : (
    <span class="fname" data-end={end}>
      <span>
        {start}
        <span>{end}</span>
      </span>
    </span>
  );
};
