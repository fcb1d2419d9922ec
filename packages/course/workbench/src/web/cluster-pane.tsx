import { ClusterView } from "@operator-path/ui/web";
import { strings } from "./strings.ts";

/** The cluster of the page, as it changes. */
export function ClusterPane() {
  return (
    <section class="cluster-pane" data-region aria-label={strings.cluster}>
      <ClusterView isPane />
    </section>
  );
}
