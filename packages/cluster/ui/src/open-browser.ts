import { spawn } from "node:child_process";

/**
 * Opens a URL in the user's browser. Resolves to whether a program for this has started. Over SSH, in CI and
 * without a desktop, none starts.
 */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const [program, ...args] = browserCommand(env);
  if (program === undefined) return false;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: "ignore", env });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function browserCommand(env: NodeJS.ProcessEnv): readonly string[] {
  if (env.CI || env.SSH_CONNECTION) return [];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["cmd", "/c", "start", '""'];
  if (env.WSL_DISTRO_NAME) return ["wslview"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : [];
}
