import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PATH for one test, with an engine and a kind whose containers are files. */
export interface StandIns extends AsyncDisposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Puts a shell script on that PATH. */
  put(name: string, script: string): Promise<void>;
  /** Returns the names of the engine's containers. */
  containers(): Promise<string[]>;
  /** Returns the commands that were run, one per line: `docker rm --force …`. */
  calls(): Promise<string[]>;
  /** Returns a file that a script has written to its folder. */
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  exists(file: string): boolean;
}

/** Records each call. `$state` is the folder in which a container is a file. */
const head = `echo "$\{0##*/} $*" >> "$STAND_IN/calls"\nstate="$STAND_IN/containers"\n`;

/**
 * The answers of docker that the package needs. A node is named after its cluster, a load balancer
 * `kindccm-<cluster>-…`.
 */
const docker = `
case "$1" in
  info) echo '{"ServerVersion":"29.0.0","CgroupVersion":"2"}' ;;
  ps)
    case "$4" in
      label=io.x-k8s.kind.cluster=*) ls "$state" | grep "^$\{4##*=}-" ;;
      label=io.x-k8s.cloud-provider-kind.cluster=*) ls "$state" | grep "^kindccm-$\{4##*=}-" ;;
      label=io.x-k8s.cloud-provider-kind.cluster) ls "$state" | grep "^kindccm-" ;;
      network=kind) ls "$state" ;;
      *) exit 1 ;;
    esac; true ;;
  rm) shift; for name; do case "$name" in --*) ;; *) rm -f "$state/$name" ;; esac; done ;;
  network)
    case "$2" in
      ls) echo "b1 bridge"; [ -e "$STAND_IN/network" ] && cat "$STAND_IN/network" ;;
      rm) rm "$STAND_IN/network" ;;
    esac; true ;;
  inspect) shift 3; for name; do [ -e "$state/$name" ] && echo "/$name $(cat "$state/$name")"; done ;;
  logs) cat "$STAND_IN/logs" 2>/dev/null ;;
  exec) case "$*" in *"get nodes"*) cat "$STAND_IN/nodes.json" ;; *) cat "$STAND_IN/journal" 2>/dev/null ;; esac; true ;;
esac
`;

/**
 * A successful kind. The file `fail` makes it fail after the nodes were created, with the file's content as
 * output.
 */
const kind = `
name="$4"
case "$1 $2" in
  "--version ") echo "kind version 0.33.0" ;;
  "create cluster")
    cat > "$STAND_IN/config"
    [ -e "$STAND_IN/network" ] || echo "n$$ kind" > "$STAND_IN/network"
    echo "Creating cluster \\"$name\\" ..." >&2
    echo ' • Preparing nodes 📦 📦   ...' >&2
    echo running > "$state/$name-worker"
    echo running > "$state/$name-control-plane"
    if [ -e "$STAND_IN/fail" ]; then echo ' ✗ Preparing nodes 📦 📦  ' >&2; cat "$STAND_IN/fail" >&2; exit 1; fi
    echo ' ✓ Preparing nodes 📦 📦  ' >&2
    [ -e "$STAND_IN/hang" ] && { (trap "" TERM; exec sleep 600) & echo $! > "$STAND_IN/hanging"; wait; }
    echo "Set kubectl context to \\"kind-$name\\"" >&2
    echo 'Thanks for using kind! 😊' >&2 ;;
  "export kubeconfig")
    [ -e "$KUBECONFIG" ] || printf 'apiVersion: v1\\nkind: Config\\n' > "$KUBECONFIG"
    echo "clusters: [{name: kind-$name}]" >> "$KUBECONFIG" ;;
  "delete cluster")
    rm -f "$state/$name"-*
    [ -e "$KUBECONFIG" ] && sed -i "/kind-$name/d" "$KUBECONFIG"
    true ;;
  "get clusters") ls "$state" | sed -n 's/-control-plane$//p' ;;
  "get nodes") ls "$state" | grep "^$name-"; true ;;
esac
`;

/** Creates them. Disposing removes the folder. */
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
