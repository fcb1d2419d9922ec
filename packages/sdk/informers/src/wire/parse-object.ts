/**
 * The object in a text that a scan has found. Of an event, `scanEvent` takes the object for the last member; where another
 * follows, which no API server sends, the text goes on behind the object, and only then does it cost a second look.
 *
 * @throws SyntaxError when it is no object, whatever follows
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
