import { ApiError } from "@operator-path/client";

/** An error as fields of a log line: its message with those of its causes, and where it was thrown. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error };
  // What the server refused was asked for by a request: the stack of the answer says nothing.
  const isAnswer = chain(error).some((each) => each instanceof ApiError);
  return {
    error: chain(error)
      .flatMap(messagesOf)
      // A wrapper that repeats what it wraps.
      .filter((message, index, all) => !all[index - 1]?.includes(message))
      .join(": "),
    ...(isAnswer || !error.stack ? {} : { stacktrace: stackOf(error) }),
  };
}

/** What an error says; an AggregateError, also what is in it (Go: errors.Aggregate). */
export function messageOf(error: Error): string {
  return messagesOf(error).join(": ");
}

function messagesOf(error: Error): string[] {
  const { message, name } = error;
  if (!(error instanceof AggregateError)) return [message || name];
  const inner = error.errors.map((each) => (each instanceof Error ? messageOf(each) : String(each)));
  const told = inner.filter((each) => !message.includes(each));
  const all = told.length > 1 ? [`[${told.join(", ")}]`] : told;
  return [...(message ? [message] : []), ...all];
}

function chain(error: Error): Error[] {
  const errors: Error[] = [];
  for (let at: unknown = error; at instanceof Error && errors.length < 10; at = at.cause) errors.push(at);
  return errors;
}

/** Without the first lines, which are the message. */
function stackOf(error: Error): string {
  const deepest = chain(error).at(-1) ?? error;
  const lines = (deepest.stack ?? "").split("\n");
  const first = lines.findIndex((line) => line.startsWith("    at "));
  return lines
    .slice(Math.max(0, first))
    .map((line) => line.trim())
    .join("\n");
}
