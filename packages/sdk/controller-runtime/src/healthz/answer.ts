import type { Check } from "./check.ts";

export interface HealthAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Returns the answer of /healthz or /readyz, in kube-apiserver's format. Go: healthz.Handler.
 *
 * @param path below the endpoint: "" for all checks, "/name" for one
 * @param query `verbose` lists each check, `exclude=name` skips one
 */
export async function answerHealth(
  checks: ReadonlyMap<string, Check>,
  path: string,
  query: URLSearchParams,
  onFailure: (name: string, error: unknown) => void,
): Promise<HealthAnswer> {
  const name = path.replace(/^\/+|\/+$/g, "");
  return name === "" ? all(checks, query, onFailure) : one(checks, name, onFailure);
}

async function all(
  checks: ReadonlyMap<string, Check>,
  query: URLSearchParams,
  onFailure: (name: string, error: unknown) => void,
): Promise<HealthAnswer> {
  const excluded = new Set(query.getAll("exclude"));
  const named = checks.size > 0 ? [...checks] : [["ping", () => {}] as const];
  const lines = await Promise.all(
    named.map(async ([name, check]) => {
      if (excluded.delete(name)) return { name, text: `[+]${name} excluded: ok`, failed: false };
      const error = await failureOf(check);
      if (!error) return { name, text: `[+]${name} ok`, failed: false };
      onFailure(name, error.reason);
      // Anyone can send this request, so the reason appears only in the log.
      return { name, text: `[-]${name} failed: reason withheld`, failed: true };
    }),
  );
  lines.sort((a, b) => (a.name < b.name ? -1 : 1));
  const failed = lines.some((line) => line.failed);
  if (!failed && !query.has("verbose")) return { status: 200, body: "ok" };
  const unknown = [...excluded].map((each) => JSON.stringify(each)).join(",");
  const body = [
    ...lines.map(({ text }) => text),
    ...(unknown ? [`warn: some health checks cannot be excluded: no matches for ${unknown}`] : []),
    failed ? "healthz check failed\n" : "healthz check passed\n",
  ];
  return { status: failed ? 500 : 200, body: body.join("\n") };
}

async function one(
  checks: ReadonlyMap<string, Check>,
  name: string,
  onFailure: (name: string, error: unknown) => void,
): Promise<HealthAnswer> {
  const check = checks.get(name) ?? (checks.size === 0 && name === "ping" ? () => {} : undefined);
  if (!check) return { status: 404, body: "404 page not found\n" };
  const error = await failureOf(check);
  if (!error) return { status: 200, body: "ok" };
  onFailure(name, error.reason);
  const why = error.reason instanceof Error ? error.reason.message : String(error.reason);
  return { status: 500, body: `internal server error: ${why}\n` };
}

async function failureOf(check: Check): Promise<{ reason: unknown } | undefined> {
  try {
    await check();
    return undefined;
  } catch (reason) {
    return { reason };
  }
}
