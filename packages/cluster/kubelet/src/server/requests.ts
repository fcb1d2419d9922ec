/** Thrown when the kubelet's API refuses a request, with an HTTP code and plain text. */
export class KubeletApiError extends Error {
  override readonly name = "KubeletApiError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The parts of a path of the kubelet's API. */
export interface KubeletPath {
  /** `containerLogs`, `exec`, `attach`, `portForward`, `pods`, `healthz`. */
  action: string;
  namespace: string;
  pod: string;
  /** Empty for actions without a container. */
  container: string;
}

/** @throws KubeletApiError 404 for an unknown path */
export function parseKubeletPath(path: string): KubeletPath {
  const [action = "", namespace = "", pod = "", ...rest] = path.split("/").filter(Boolean).map(decode);
  const plain = ["pods", "healthz"].includes(action) && namespace === "";
  const onPod = action === "portForward" && pod !== "" && rest.length <= 1;
  // A uid may come before the container.
  const onContainer = ["exec", "attach"].includes(action) && (rest.length === 1 || rest.length === 2);
  const logs = action === "containerLogs" && rest.length === 1;
  if (!plain && !onPod && !onContainer && !logs) throw new KubeletApiError(404, "404 page not found");
  return { action, namespace, pod, container: onPod ? "" : (rest.at(-1) ?? "") };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new KubeletApiError(400, `the path part ${JSON.stringify(part)} is not properly percent-encoded`);
  }
}

/**
 * Returns the streams and the command of an exec or attach request.
 * @throws KubeletApiError 400 when no stream is requested
 */
export function parseCommand(query: URLSearchParams) {
  const flag = (name: string) => ["1", "true"].includes(query.get(name) ?? "");
  const tty = flag("tty");
  const wanted = { tty, stdin: flag("input"), stdout: flag("output"), stderr: !tty && flag("error") };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
    throw new KubeletApiError(400, "you must specify at least 1 of stdin, stdout, stderr");
  return { ...wanted, command: query.getAll("command") };
}

/** Returns core/v1 PodLogOptions. The API server has already validated them. */
export function parseLogOptions(query: URLSearchParams) {
  const number = (name: string) => {
    const value = query.get(name);
    return value === null || !/^\d+$/.test(value) ? {} : { [name]: Number(value) };
  };
  const flag = (name: string) => query.get(name) === "true";
  const sinceTime = query.get("sinceTime");
  return {
    follow: flag("follow"),
    previous: flag("previous"),
    timestamps: flag("timestamps"),
    ...(sinceTime === null || sinceTime === "" ? {} : { sinceTime }),
    ...number("tailLines"),
    ...number("sinceSeconds"),
    ...number("limitBytes"),
  };
}
