import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PATH of a test's own, with an engine and a kind whose containers are files. */
export interface StandIns extends AsyncDisposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Puts a shell script on that PATH. */
  put(name: string, script: string): Promise<void>;
  /** Names of the containers that the engine has. */
  containers(): Promise<string[]>;
  /** What was run, a line each: `docker rm --force …`. */
  calls(): Promise<string[]>;
  /** What a script has written into its folder. */
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  exists(file: string): boolean;
}

/** Each call is noted. `$state` is the folder in which a container is a file. */
const head = `echo "$\{0##*/} $*" >> "$STAND_IN/calls"\nstate="$STAND_IN/containers"\n`;

/** The answers of docker that the package asks for. */
const docker = `
case "$1" in
  info) echo '{"ServerVersion":"29.0.0","CgroupVersion":"2"}' ;;
  ps) ls "$state" ;;
  rm) shift; for name; do case "$name" in --*) ;; *) rm -f "$state/$name" ;; esac; done ;;
  network) [ "$2" = rm ] && rm -f "$STAND_IN/network"; [ "$2" = ls ] && [ -e "$STAND_IN/network" ] && echo kind; true ;;
  inspect) shift 3; for name; do [ -e "$state/$name" ] && echo "/$name $(cat "$state/$name")"; done ;;
  logs) cat "$STAND_IN/logs" 2>/dev/null ;;
  exec) case "$*" in *"get nodes"*) cat "$STAND_IN/nodes.json" ;; *) cat "$STAND_IN/journal" 2>/dev/null ;; esac; true ;;
esac
`;

/** kind, as it is when all goes well. \`fail\` makes it go wrong after the nodes have been made, in the words of that file. */
const kind = `
case "$1 $2" in
  "--version ") echo "kind version 0.33.0" ;;
  "create cluster")
    cat > "$STAND_IN/config"
    touch "$STAND_IN/network"
    echo 'Creating cluster "dev" ...' >&2
    echo ' • Preparing nodes 📦 📦   ...' >&2
    echo running > "$state/dev-worker"
    echo running > "$state/dev-control-plane"
    if [ -e "$STAND_IN/fail" ]; then echo ' ✗ Preparing nodes 📦 📦  ' >&2; cat "$STAND_IN/fail" >&2; exit 1; fi
    echo ' ✓ Preparing nodes 📦 📦  ' >&2
    [ -e "$STAND_IN/hang" ] && { (trap "" TERM; exec sleep 600) & echo $! > "$STAND_IN/hanging"; wait; }
    printf 'apiVersion: v1\\nkind: Config\\nclusters: [{name: kind-dev}]\\n' > "$HOME/kubeconfig"
    echo 'Set kubectl context to "kind-dev"' >&2
    echo 'Thanks for using kind! 😊' >&2 ;;
  "delete cluster")
    rm -f "$state"/dev-*
    [ -e "$HOME/kubeconfig" ] && printf 'apiVersion: v1\\nkind: Config\\n' > "$HOME/kubeconfig"
    true ;;
  "get clusters") [ -e "$state/dev-control-plane" ] && echo dev; true ;;
  "get nodes") ls "$state" ;;
esac
`;

/** Makes them; disposing it removes the folder. */
export async function standIns(): Promise<StandIns> {
  const folder = await mkdtemp(join(tmpdir(), "kind-stand-in-"));
  const bin = join(folder, "bin");
  await mkdir(bin);
  await mkdir(join(folder, "containers"));
  const put = async (name: string, script: string): Promise<void> => {
    await writeFile(join(bin, name), `#!/bin/sh\n${head}${script}`);
    await chmod(join(bin, name), 0o755);
  };
  await put("docker", docker);
  await put("kind", kind);
  const file = (name: string): string => join(folder, name);
  return {
    folder,
    put,
    env: {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: folder,
      KUBECONFIG: join(folder, "kubeconfig"),
      XDG_CACHE_HOME: folder,
      STAND_IN: folder,
    },
    containers: () => readdir(file("containers")),
    calls: async () => (await readFile(file("calls"), "utf8").catch(() => "")).trim().split("\n"),
    read: (name) => readFile(file(name), "utf8"),
    write: (name, text) => writeFile(file(name), text),
    exists: (name) => existsSync(file(name)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
