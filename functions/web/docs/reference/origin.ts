/** Where the service is in examples. Serving a page puts its address in this place. */
export const exampleOrigin = 'https://handbill.example.com';

/** The name of the first page, which isn't that of a group. */
export const startName = 'start';
