import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Absolute path of a Dockerfile, as docker finds it: beside the context unless `-f` says otherwise. */
export function dockerfilePath(context: string, file: string | undefined): string {
  return file === undefined ? join(context, "Dockerfile") : resolve(file);
}

/** .dockerignore of a Dockerfile: `<its name>.dockerignore` beside it, else the context's. */
export function dockerignorePath(context: string, dockerfile: string): string | undefined {
  return [`${dockerfile}.dockerignore`, join(context, ".dockerignore")].find((path) => existsSync(path));
}
