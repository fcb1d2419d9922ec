import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { Paths } from "./paths.ts";

type Function = (...args: unknown[]) => unknown;
type Functions = Record<string, unknown>;

/** Functions of node:fs, by how many of their first arguments are paths. */
const paths: readonly (readonly [number, readonly string[]])[] = [
  [
    1,
    [
      "access appendFile chmod chown createReadStream createWriteStream exists glob lchmod lchown lstat lutimes mkdir",
      "mkdtemp mkdtempDisposable open openAsBlob opendir readFile readdir readlink realpath rm rmdir stat statfs truncate",
      "unlink unwatchFile utimes watch watchFile writeFile",
    ]
      .join(" ")
      .split(" "),
  ],
  [2, ["copyFile", "cp", "link", "rename"]],
];

/** Functions that return a path. */
const answers = new Set(["mkdtemp", "realpath", "mkdir"]);

/**
 * Makes absolute paths of node:fs begin at the container's root. Errors name the container's paths. A write
 * that the fence rejects fails as on a read-only file system.
 */
export function mapFiles(pathMapper: Paths): void {
  const wrap = (owner: Functions, name: string, count: number) => {
    const original = owner[name];
    if (typeof original !== "function") return;
    const call = original as Function;
    const isPath = answers.has(name.replace(/Sync$/, ""));
    const wrapped = function (this: unknown, ...args: unknown[]): unknown {
      const given = args.slice(0, count);
      for (let i = 0; i < count; i++) args[i] = pathMapper.toHost(args[i]);
      // A caller that passes a path of the host, such as Node's module loader, gets a path of the host back.
      const isAnswer = isPath && given.some((path, i) => path !== args[i]);
      const last = args.at(-1);
      if (typeof last === "function" && owner === (fs as Functions) && !name.endsWith("Sync")) {
        args[args.length - 1] = (error: unknown, ...rest: unknown[]) =>
          (last as Function)(translateError(error), ...(isAnswer ? rest.map(pathMapper.toContainer) : rest));
      }
      try {
        const result = call.apply(this, args);
        if (result instanceof Promise) {
          return result.then(isAnswer ? pathMapper.toContainer : undefined, (error: unknown) =>
            Promise.reject(translateError(error)),
          );
        }
        return isAnswer ? pathMapper.toContainer(result) : result;
      } catch (error) {
        throw translateError(error);
      }
    };
    // Copies realpath.native and the property of util.promisify.
    for (const key of Reflect.ownKeys(call)) {
      const own = Object.getOwnPropertyDescriptor(call, key);
      if (own && (Object.getOwnPropertyDescriptor(wrapped, key)?.configurable ?? true))
        Object.defineProperty(wrapped, key, own);
    }
    owner[name] = wrapped;
    if (typeof (wrapped as unknown as Functions).native === "function")
      wrap(wrapped as unknown as Functions, "native", count);
  };
  const translateError = (error: unknown): unknown => {
    if (!(error instanceof Error)) return error;
    const e = error as NodeJS.ErrnoException & { dest?: string; permission?: string; resource?: string };
    for (const key of ["path", "dest"] as const) {
      const path = e[key];
      if (path === undefined || pathMapper.toContainer(path) === path) continue;
      e.message = e.message.replaceAll(path, pathMapper.toContainer(path));
      e[key] = pathMapper.toContainer(path);
    }
    if (e.code === "ERR_ACCESS_DENIED" && e.permission === "FileSystemWrite") {
      const path = pathMapper.toContainer(e.resource ?? "");
      return Object.assign(new Error(`EROFS: read-only file system, '${path}'`), {
        code: "EROFS",
        errno: -30,
        path,
      });
    }
    return error;
  };
  for (const [count, names] of paths) {
    for (const name of names) {
      for (const form of [name, `${name}Sync`]) wrap(fs as Functions, form, count);
      wrap(fs.promises as unknown as Functions, name, count);
    }
  }
  // A link's target is not resolved now, but the link's own path is.
  const wrapSymlink = (owner: Functions, name: string) => {
    const call = owner[name] as Function;
    owner[name] = (target: unknown, path: unknown, ...rest: unknown[]) =>
      call(pathMapper.toHost(target), pathMapper.toHost(path), ...rest);
  };
  for (const name of ["symlink", "symlinkSync"]) wrapSymlink(fs as Functions, name);
  wrapSymlink(fs.promises as unknown as Functions, "symlink");
  syncBuiltinESMExports();
}
