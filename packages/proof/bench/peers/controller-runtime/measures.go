package main

import (
	"os"
	"regexp"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// figures are those of measurement.ts: milliseconds, bytes, numbers.
type figures struct {
	Settle     float64            `json:"settle"`
	Start      float64            `json:"start"`
	CPU        float64            `json:"cpu"`
	PeakRss    float64            `json:"peakRss"`
	Reconciles int64              `json:"reconciles"`
	QueueWait  float64            `json:"queueWait"`
	Requests   map[string]float64 `json:"requests"`
}

// requests are client-go's own count, by method and status code: "POST 201".
func requests() (map[string]float64, error) {
	families, err := metrics.Registry.Gather()
	if err != nil {
		return nil, err
	}
	counts := map[string]float64{}
	for _, family := range families {
		if family.GetName() != "rest_client_requests_total" {
			continue
		}
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			counts[labels["method"]+" "+labels["code"]] += metric.GetCounter().GetValue()
		}
	}
	return counts, nil
}

// cpuTime is that of all threads since the process began.
func cpuTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// monotonic is the machine's clock that processes share: what Node's process.hrtime reads.
func monotonic() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		fail(err)
	}
	return time.Duration(now.Nano())
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakResident is in bytes; 0 where there is no /proc.
func peakResident() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	found := highWater.FindSubmatch(status)
	if found == nil {
		return 0
	}
	kilobytes, _ := strconv.ParseFloat(string(found[1]), 64)
	return kilobytes * 1024
}

func ms(duration time.Duration) float64 { return float64(duration.Microseconds()) / 1_000 }
