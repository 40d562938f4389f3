/** The highlighter, served from its own package under this path. */
declare const highlighter: {
  getLanguage(name: string): object | undefined;
  /** `value` is HTML: text and `span` elements with classes. */
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};
export default highlighter;
