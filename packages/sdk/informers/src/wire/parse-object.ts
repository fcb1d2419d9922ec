/**
 * Parses the text of a scanned object. `scanEvent` assumes that an event's object is its last member. If
 * another member follows, which no API server sends, the text extends beyond the object; only then is it
 * parsed a second time.
 *
 * @throws SyntaxError if the text does not start with an object
 */
export function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      return JSON.parse(`{"object":${text}}`).object;
    } catch {
      throw error;
    }
  }
}
