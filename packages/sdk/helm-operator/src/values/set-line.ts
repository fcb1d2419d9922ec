/** The characters of a line of assignments, one after another. A character is a code point, as Go's rune. */
export class SetLine {
  readonly #characters: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  /** The next character, or undefined at the end. It is taken. */
  next(): string | undefined {
    return this.#characters[this.#position++];
  }

  /** Takes the next character if it is this one. */
  takes(character: string): boolean {
    if (this.#characters[this.#position] !== character) return false;
    this.#position++;
    return true;
  }

  get atEnd(): boolean {
    return this.#position >= this.#characters.length;
  }

  /**
   * Text up to one of the characters in `stops`, which is taken but is no part of it. A backslash makes the character after
   * it an ordinary one.
   *
   * @returns stop undefined: the line ended first
   */
  until(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let text = "";
    for (;;) {
      const character = this.next();
      if (character === undefined || stops.includes(character)) return { text, stop: character };
      // A backslash at the very end stands for nothing.
      text += character === "\\" ? (this.next() ?? "") : character;
    }
  }
}
