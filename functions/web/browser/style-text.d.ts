/** The minified text of a style sheet, by the build. */
declare module '*.css?text' {
  const css: string;
  export default css;
}
