import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { ExecaError, execa } from "execa";
import type { FindProgram } from "./recipe.ts";

/** The Node that runs this: the repository's own. */
export async function findNode(): Promise<string> {
  return process.execPath;
}

/**
 * Builds a static program of the Go module proxy. The first build takes a minute, later ones seconds.
 * @param module `host/path/cmd/name@v1.2.3`
 * @throws UserError if Go is missing, or its build fails
 */
export async function goInstall(module: string, { folder, signal }: FindProgram): Promise<string> {
  const bin = join(folder, "go-bin");
  const name = /\/([^/]+)@/.exec(module)?.[1] ?? "";
  try {
    await execa("go", ["install", "-ldflags=-s -w", module], {
      env: { CGO_ENABLED: "0", GOBIN: bin, GOFLAGS: "-mod=mod" },
      ...(signal && { cancelSignal: signal }),
    });
  } catch (error) {
    if (!(error instanceof ExecaError) || error.isCanceled) throw error;
    throw new UserError(
      error.code === "ENOENT"
        ? `${name} is built by Go here, and there is no go on the PATH: install it (https://go.dev/dl/)`
        : `go install ${module} failed: ${(error.stderr ?? "").trim().split("\n").at(-1)}`,
    );
  }
  return join(bin, name);
}
