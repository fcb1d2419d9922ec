#!/bin/sh
# Deletes all objects of the kinds in config/crd, and waits until they are gone. Run it while the operator runs:
# the operator removes finalizers and converts between versions.
#   sh delete-objects.sh context [seconds to wait, default 120]
set -eu
context=$1
timeout=${2:-120}
kube() { ${KUBECTL:-kubectl} --context="$context" "$@"; }
unreadable() {
  echo "The API server did not list or delete all objects. Nothing else was deleted." >&2
  echo "If it cannot convert them, start the operator (make deploy), then repeat this command." >&2
  exit 1
}

[ -f config/crd/kustomization.yaml ] || exit 0
resources=
crds=$(kube get -k config/crd --ignore-not-found --output=name) || unreadable
for crd in $crds; do
  case $crd in customresourcedefinition*) ;; *) continue ;; esac
  name=${crd#*/}
  # Reading the stored version needs no conversion.
  versions='{range .spec.versions[?(@.storage==true)]}{.served}.{.name}{end}'
  stored=$(kube get "$crd" --output=jsonpath="$versions")
  case $stored in
  true.*) resources="$resources ${name%%.*}.${stored#true.}.${name#*.}" ;;
  *) resources="$resources $name" ;;
  esac
done

# One object a line: resource, namespace/name, finalizers.
list() {
  for resource in $resources; do
    line="$resource {.metadata.namespace}/{.metadata.name} {.metadata.finalizers}"
    kube get "$resource" --all-namespaces --output=jsonpath="{range .items[*]}$line{\"\\n\"}{end}" || return 1
  done
}

left=$(list) || unreadable
[ -n "$left" ] || exit 0
for resource in $resources; do
  kube delete "$resource" --all --all-namespaces --wait=false || unreadable
done

end=$(($(date +%s) + timeout))
next=0
while left=$(list) || unreadable; [ -n "$left" ]; do
  now=$(date +%s)
  if [ "$now" -ge "$next" ]; then
    echo "Waiting for $(echo "$left" | wc -l | tr -d ' ') object(s) with finalizers" >&2
    next=$((now + 10))
  fi
  [ "$now" -lt "$end" ] || break
  sleep 1
done
[ -n "$left" ] || exit 0

read -r resource object _ << EOT
$left
EOT
namespace=${object%%/*}
cat >&2 << EOT
These objects are still there after $timeout s. Nothing else was deleted.
$left
The operator removes its finalizers. Find out why it has not, then repeat this command:
  ${KUBECTL:-kubectl} --context='$context' logs -n website-operator-system deployment/website-operator-controller-manager
To skip the cleanup that a finalizer stands for, remove it from each object:
  ${KUBECTL:-kubectl} --context='$context' patch $resource ${object#*/}${namespace:+ -n $namespace} --type=merge -p '{"metadata":{"finalizers":null}}'
EOT
exit 1
