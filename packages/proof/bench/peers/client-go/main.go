// Measures client-go's informers as packages/proof/bench/src/informers measures those of Node: one task in a fresh
// process, its figures as one line of JSON on stdout.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	var t task
	flag.StringVar(&t.measure, "measure", "sync", "sync, events, latency or kept")
	flag.StringVar(&t.resource, "resource", "pods", "pods (typed) or caches (dynamic)")
	flag.IntVar(&t.objects, "objects", 0, "how many objects there are")
	flag.IntVar(&t.events, "events", 0, "how many modifications")
	flag.Parse()
	// The other end of stdin is the parent: the program ends with it.
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fail(err)
	}
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	// The recorded server never compresses.
	config.DisableCompression = true
	figures, err := t.run(config)
	if err != nil {
		fail(err)
	}
	json.NewEncoder(os.Stdout).Encode(figures)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
