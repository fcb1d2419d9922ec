package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/client-go/rest"
)

// firstEventVersion and warmUp are those of the recorded server and of the measures on Node.
const (
	firstEventVersion = 2_000_001
	warmUp            = 500
)

type task struct {
	measure, resource string
	objects, events   int
}

func (t task) run(config *rest.Config) (map[string]float64, error) {
	switch t.measure {
	case "sync":
		return t.sync(config)
	case "events":
		return t.burst(config)
	case "latency":
		return t.latency(config)
	case "kept":
		return t.kept(config)
	}
	return nil, fmt.Errorf("there is no measure %q", t.measure)
}

func (t task) sync(config *rest.Config) (map[string]float64, error) {
	runtime.GC()
	c := newCounter(true)
	cpu, begin := cpuTime(), time.Now()
	if err := start(config, t.resource, c.told, nil); err != nil {
		return nil, err
	}
	c.reach(t.objects)
	wall, used := time.Since(begin), cpuTime()-cpu
	return map[string]float64{"wall": ms(wall), "cpu": ms(used), "peakRss": peakResident(), "stall": 0}, nil
}

func (t task) burst(config *rest.Config) (map[string]float64, error) {
	c := newCounter(true)
	if err := start(config, t.resource, c.told, nil); err != nil {
		return nil, err
	}
	c.reach(t.objects)
	// The server prepares them.
	if _, err := ask(config.Host + "/bench/events?count=0"); err != nil {
		return nil, err
	}
	settle()
	cpu, begin := cpuTime(), time.Now()
	if _, err := ask(fmt.Sprintf("%s/bench/events?count=%d", config.Host, t.events)); err != nil {
		return nil, err
	}
	c.reach(t.objects + t.events)
	wall, used := time.Since(begin), cpuTime()-cpu
	events := float64(t.events)
	return map[string]float64{"perSecond": events / wall.Seconds(), "cpu": ms(used) * 1_000 / events}, nil
}

func (t task) latency(config *rest.Config) (map[string]float64, error) {
	arrived := make([]float64, t.events)
	c := newCounter(true)
	tell := func(key string, resourceVersion string) {
		version, _ := strconv.Atoi(resourceVersion)
		if event := version - firstEventVersion; event >= 0 && event < t.events {
			arrived[event] = monotonic()
		}
		c.told(key, resourceVersion)
	}
	if err := start(config, t.resource, tell, nil); err != nil {
		return nil, err
	}
	c.reach(t.objects)
	settle()
	if _, err := ask(fmt.Sprintf("%s/bench/pace?count=%d", config.Host, t.events)); err != nil {
		return nil, err
	}
	c.reach(t.objects + t.events)
	answer, err := ask(config.Host + "/bench/sent")
	if err != nil {
		return nil, err
	}
	var sent []float64
	if err := json.Unmarshal(answer, &sent); err != nil {
		return nil, err
	}
	var times []float64
	for event := warmUp; event < t.events; event++ {
		times = append(times, arrived[event]-sent[event])
	}
	slices.Sort(times)
	at := func(share float64) float64 { return times[min(len(times)-1, int(float64(len(times))*share))] }
	return map[string]float64{"p50": at(0.5), "p99": at(0.99)}, nil
}

func (t task) kept(config *rest.Config) (map[string]float64, error) {
	settle()
	before := heap()
	c := newCounter(false)
	if err := start(config, t.resource, c.told, nil); err != nil {
		return nil, err
	}
	c.reach(t.objects)
	settle()
	return map[string]float64{"bytes": (heap() - before) / float64(t.objects)}, nil
}

// counter is a handler that enqueues keys, as a controller's does, and counts.
type counter struct {
	lock     sync.Mutex
	changed  *sync.Cond
	enqueues bool
	queue    map[string]struct{}
	count    int
}

func newCounter(enqueues bool) *counter {
	c := &counter{enqueues: enqueues, queue: map[string]struct{}{}}
	c.changed = sync.NewCond(&c.lock)
	return c
}

func (c *counter) told(key string, _ string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.enqueues {
		c.queue[key] = struct{}{}
	}
	c.count++
	c.changed.Signal()
}

func (c *counter) reach(number int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for c.count < number {
		c.changed.Wait()
	}
}

// settle lets what runs in the background come to its end, and what is garbage go.
func settle() {
	for range 3 {
		time.Sleep(100 * time.Millisecond)
		runtime.GC()
	}
}

func heap() float64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

func cpuTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// monotonic is the machine's clock that processes share, in microseconds: what Node's process.hrtime reads.
func monotonic() float64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		fail(err)
	}
	return float64(now.Nano()) / 1_000
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

func ask(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, body)
	}
	return body, err
}

func ms(duration time.Duration) float64 { return float64(duration.Microseconds()) / 1_000 }
