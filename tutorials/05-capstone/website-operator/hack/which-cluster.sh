#!/bin/sh
# Shows the cluster that the next command writes to, and asks before one that is neither kind nor embedded.
#   sh which-cluster.sh [context [named]]
# Default: the current context. "named": you have named the context, so nothing is asked.
# Prints the context on standard output. The next command needs it: the current context may change in between.
set -eu
kubectl=${KUBECTL:-kubectl}
context=${1-$($kubectl config current-context)}
if [ -z "$context" ]; then
  echo "No context is selected. Select one: $kubectl config use-context <name>" >&2
  exit 1
fi
server=$($kubectl config view --context="$context" --minify --output=jsonpath='{.clusters[0].cluster.server}')
echo "context $context: $server" >&2
echo "$context"
[ "${2:-}" != named ] || exit 0

# A tunnel makes any cluster look local, so the nodes have the last word. No other server is sent anything.
case $server in
https://127.0.0.1:* | https://localhost:* | https://\[::1\]:*)
  nodes=$($kubectl --context="$context" get nodes --request-timeout=10s --output=jsonpath='{.items[*].spec.providerID}') || nodes=
  case $nodes in kind://* | operator-path://*) exit 0 ;; esac
  if ! $kubectl --context="$context" get --raw=/version --request-timeout=10s > /dev/null 2>&1; then
    echo "This cluster does not answer, and nothing was written. Start it, or select another one: $kubectl config get-contexts" >&2
    exit 1
  fi
  ;;
esac

echo "This cluster is neither kind nor embedded." >&2
if ! [ -t 0 ]; then
  echo "Nothing was written. Run this in a terminal to be asked, or name the context: make deploy CONTEXT=$context" >&2
  exit 1
fi
printf 'Write to it? [y/N] ' >&2
read -r answer
case $answer in y | Y | yes) ;; *) echo "Nothing was written." >&2; exit 1 ;; esac
