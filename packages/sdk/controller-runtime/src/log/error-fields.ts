import { ApiError } from "@operator-path/client";

/** Returns an error as fields of a log line: its message, those of its causes, and the stack. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error };
  // For a server's error, the stack of the code that reads the answer is useless.
  const isAnswer = chain(error).some((each) => each instanceof ApiError);
  return {
    error: chain(error)
      .flatMap(messagesOf)
      // Skip a message that its wrapper repeats.
      .filter((message, index, all) => !all[index - 1]?.includes(message))
      .join(": "),
    ...(isAnswer || !error.stack ? {} : { stacktrace: stackOf(error) }),
  };
}

/**
 * Returns the message of an error. For an AggregateError, includes the inner messages (Go: errors.Aggregate).
 */
export function messageOf(error: Error): string {
  return messagesOf(error).join(": ");
}

function messagesOf(error: Error): string[] {
  const { message, name } = error;
  if (!(error instanceof AggregateError)) return [message || name];
  const inner = error.errors.map((each) => (each instanceof Error ? messageOf(each) : String(each)));
  const unmentioned = inner.filter((each) => !message.includes(each));
  const all = unmentioned.length > 1 ? [`[${unmentioned.join(", ")}]`] : unmentioned;
  return [...(message ? [message] : []), ...all];
}

function chain(error: Error): Error[] {
  const errors: Error[] = [];
  for (let at: unknown = error; at instanceof Error && errors.length < 10; at = at.cause) errors.push(at);
  return errors;
}

/** Without the first lines, which repeat the message. */
function stackOf(error: Error): string {
  const deepest = chain(error).at(-1) ?? error;
  const lines = (deepest.stack ?? "").split("\n");
  const first = lines.findIndex((line) => line.startsWith("    at "));
  return lines
    .slice(Math.max(0, first))
    .map((line) => line.trim())
    .join("\n");
}
