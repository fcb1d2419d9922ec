/** Requests to the server that served this page. */

/** Reads JSON of a route. Rejects with the server's message. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await checked(await fetch(path, signal ? { signal } : {}))).json() as Promise<T>;
}

/** Reads text of a route. Rejects with the server's message. */
export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await checked(await fetch(path, signal ? { signal } : {}))).text();
}

/** Yields the text of a route as it arrives, until the server ends it or the signal aborts. */
export async function* streamText(path: string, signal: AbortSignal): AsyncGenerator<string, void> {
  const { body } = await checked(await fetch(path, { signal }));
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Sends a mutation with the CSRF token of this page. Rejects with the server's message. */
export async function postJson<T>(
  path: string,
  body: unknown,
  init: Pick<RequestInit, "keepalive"> = {},
): Promise<T> {
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
  const headers = { "content-type": "application/json", "x-csrf-token": token };
  const response = await fetch(path, { ...init, method: "POST", headers, body: JSON.stringify(body) });
  return (await checked(response)).json() as Promise<T>;
}

/** Returns the URL of a WebSocket of this server. */
export function socketUrl(path: string): string {
  return new URL(path, location.origin.replace("http", "ws")).href;
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(message ?? `the server answered ${response.status}`);
}
