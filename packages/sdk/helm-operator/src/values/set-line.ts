/** Reads a line of assignments character by character. A character is a code point, as Go's rune. */
export class SetLine {
  readonly #characters: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  /** Takes the next character, and returns it; undefined at the end. */
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
   * Takes the text up to one of the characters in `stops`, and that character, which is not part of the text.
   * A backslash makes the next character an ordinary one.
   *
   * @returns the text, and the character that ended it; undefined when the line ended first
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
