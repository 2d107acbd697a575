import { move } from './actions.ts';
import { type File, list, selection } from './state.ts';

const type = 'application/x-handbill-files';

/** The files that are being dragged; a browser tells what they are only when they are dropped. */
let dragged: readonly File[] = [];

/** Returns the attributes that let a row be dragged: with it, the other selected ones. */
export const dragSource = (file: File) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    const isSelected = selection.value.has(file.id);
    const selected = (list.items.value ?? []).filter(({ id }) => selection.value.has(id));
    dragged = isSelected ? selected : [file];
    dataTransfer?.setData(type, dragged.map(({ id }) => id).join());
    if (dataTransfer) dataTransfer.effectAllowed = 'move';
  },
  onDragEnd: () => {
    dragged = [];
  },
});

const isMove = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes(type) ?? false;

/** Returns the attributes that let files be dropped on a folder, given by its path and, if it is one of them, its id. */
export const dropTarget = (folder: string, id?: number) => ({
  onDragOver: (event: DragEvent) => {
    if (!isMove(event) || dragged.some((file) => file.id === id)) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.add('drop');
  },
  onDragLeave: ({ currentTarget }: DragEvent) =>
    (currentTarget as HTMLElement).classList.remove('drop'),
  onDrop: (event: DragEvent) => {
    (event.currentTarget as HTMLElement).classList.remove('drop');
    if (!isMove(event)) return;
    event.preventDefault();
    void move(dragged, folder);
  },
});
