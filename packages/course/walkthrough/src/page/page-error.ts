/** A page is malformed. The message begins with `file:line`, so that an editor can jump to it. */
export class PageError extends Error {
  readonly path: string;
  /** Line of the page, from 1. */
  readonly line: number;

  constructor(path: string, line: number, message: string) {
    super(`${path}:${line}: ${message}`);
    this.name = "PageError";
    this.path = path;
    this.line = line;
  }
}
