/** A page is not well formed. The message begins with `file:line`, so that an editor can jump to it. */
export class PageError extends Error {
  readonly path: string;
  /** 1-based line of the page. */
  readonly line: number;

  constructor(path: string, line: number, message: string) {
    super(`${path}:${line}: ${message}`);
    this.name = "PageError";
    this.path = path;
    this.line = line;
  }
}
