// Enhances the shell of every page.
export {};
