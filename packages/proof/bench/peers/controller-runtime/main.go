// An operator on Go's controller-runtime that does what packages/proof/bench/src/reconcile/operator does on ours: it
// reconciles until nothing is left to write, and prints its figures as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	objects := flag.Int("objects", 0, "how many Memcacheds there are")
	workers := flag.Int("workers", 1, "maxConcurrentReconciles")
	spawned := flag.Int64("spawned", 0, "when this process was asked for, nanoseconds of the monotonic clock")
	flag.Parse()
	// The other end of stdin is the parent: the program ends with it.
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	ctrl.SetLogger(zap.New())
	seen, err := run(*objects, *workers, time.Duration(*spawned))
	if err != nil {
		fail(err)
	}
	json.NewEncoder(os.Stdout).Encode(seen)
}

func run(objects, workers int, spawned time.Duration) (*figures, error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := addToScheme(scheme); err != nil {
		return nil, err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, err
	}
	progress, queue := newProgress(objects), newTimedQueue()
	err = ctrl.NewControllerManagedBy(manager).
		For(&Memcached{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, NewQueue: queue.construct}).
		Complete(&reconciler{Client: manager.GetClient(), progress: progress})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	failed := make(chan error, 1)
	started := monotonic()
	go func() { failed <- manager.Start(ctx) }()
	settled := make(chan time.Duration)
	go func() { settled <- progress.settled() }()
	select {
	case err := <-failed:
		return nil, fmt.Errorf("the manager ended: %w", err)
	case last := <-settled:
		counts, err := requests()
		return &figures{
			Settle:     ms(last - spawned),
			Start:      ms(started - spawned),
			CPU:        ms(cpuTime()),
			PeakRss:    peakResident(),
			Reconciles: progress.reconciles.Load(),
			QueueWait:  ms(queue.p99()),
			Requests:   counts,
		}, err
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
