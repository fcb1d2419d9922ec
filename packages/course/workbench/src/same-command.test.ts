import { expect, test } from "vitest";
import { isSameCommand } from "./same-command.ts";

test.each([
  ["kubectl get pods", "k get po"],
  ["kubectl get pods", "kubectl  get   pod "],
  ["kubectl get pod $POD -o yaml", "kubectl get pod $POD --output=yaml"],
  ["kubectl get pod $POD -o yaml", 'kubectl get po "$POD" -oyaml'],
  ["kubectl rollout status deployment/web", "kubectl rollout status deploy/web"],
  ["kubectl get events -n shop", "kubectl get ev --namespace shop"],
  ["kubectl get pods -A", "kubectl get pods --all-namespaces"],
  ["kubectl exec -it $POD -c app -- sh", "kubectl exec -ti $POD --container app -- sh"],
  ["kubectl get pods -l app=web", "kubectl get pods -l 'app=web'"],
  ["kubectl delete \\\n  pod web", "kubectl delete pod web"],
  ["POD=$(kubectl get pod -o jsonpath='{.items[0]}')", 'POD=$(kubectl get po -o jsonpath="{.items[0]}")'],
  ["kubectl get deployment,replicaset,pod", "kubectl get deploy,rs,po"],
  [
    "kubectl wait --for=condition=Established crd/tools",
    "kubectl wait crd/tools --for condition=Established",
  ],
  ["kubectl set image pod/store app=nginx", "kubectl set image po/store app=nginx"],
  ["kubectl proxy --port=0", "kubectl proxy --port 0"],
  ["kubectl apply -f - <<END\nkind: Pod\nEND", "kubectl apply -f - <<'EOF'\nkind: Pod\nEOF"],
  ["pnpm install", "pnpm i"],
  ["pnpm start", "pnpm run start"],
  ['cp "$TUTORIAL/project/tsconfig.json" .', "cp $TUTORIAL/project/tsconfig.json ./"],
  ['(cd "$TUTORIAL/project" && pnpm start)', "cd $TUTORIAL/project && pnpm start"],
])("%s is the same as %s", (one, other) => expect(isSameCommand(one, other)).toBe(true));

test.each([
  ["kubectl get pods", "kubectl get pods -A"],
  ["kubectl get pod pod-web", "kubectl get pod po-web"],
  ["kubectl logs web -f", "kubectl logs web"],
  ["echo '$POD'", "echo $POD"],
  ["kubectl exec -it web -- sh", "kubectl exec -it web -- /bin/sh"],
  ["kubectl get pods -w", "kubectl get pods"],
])("%s is another than %s", (one, other) => expect(isSameCommand(one, other)).toBe(false));
