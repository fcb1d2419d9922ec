/** The last part of a terminal's output, for a browser that opens it again. */
export interface Scrollback {
  add(text: string): void;
  text(): string;
}

/** Returns an empty scrollback. It drops the oldest lines above `limit` characters. */
export function createScrollback(limit: number): Scrollback {
  let chunks: string[] = [];
  let length = 0;
  const join = (): string => {
    const text = chunks.join("");
    if (text.length <= limit) return text;
    const cut = text.slice(-limit);
    // A cut within a line could be within an escape sequence.
    return cut.slice(cut.indexOf("\n") + 1);
  };
  return {
    add(text) {
      chunks.push(text);
      length += text.length;
      if (length <= 2 * limit) return;
      chunks = [join()];
      length = chunks[0]?.length ?? 0;
    },
    text() {
      chunks = [join()];
      length = chunks[0]?.length ?? 0;
      return chunks[0] ?? "";
    },
  };
}
