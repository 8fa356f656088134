package gcra

import (
	"sync"
	"time"
)

// Meters keeps the meters of many keys in memory, such as those of the networks that a process hears from. It is safe
// for concurrent use.
type Meters struct {
	rate Rate
	most int

	mu   sync.Mutex
	tats map[string]int64
}

// NewMeters keeps at most so many meters. When there is no room, those that are full again go first, then any.
func NewMeters(rate Rate, most int) *Meters {
	return &Meters{rate: rate, most: max(1, most), tats: map[string]int64{}}
}

// Take charges one to a key and answers 0, or charges nothing and answers how long it has to wait.
func (m *Meters) Take(key string, now time.Time) (wait time.Duration) {
	moment := now.UnixMicro()
	m.mu.Lock()
	defer m.mu.Unlock()
	after, ok := m.rate.Take(m.tats[key], moment, 1)
	if !ok {
		return m.rate.Wait(m.tats[key], moment)
	}
	if _, known := m.tats[key]; !known && len(m.tats) >= m.most {
		m.makeRoom(moment)
	}
	m.tats[key] = after
	return 0
}

// Wait is how long a key has to wait, 0 when it need not. It charges nothing.
func (m *Meters) Wait(key string, now time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rate.Wait(m.tats[key], now.UnixMicro())
}

// makeRoom forgets all full meters, and an eighth of the others if that is not enough: so it is seldom called.
func (m *Meters) makeRoom(now int64) {
	for key, tat := range m.tats {
		if tat <= now {
			delete(m.tats, key)
		}
	}
	target := m.most - m.most/8 - 1
	for key := range m.tats {
		if len(m.tats) <= target {
			return
		}
		delete(m.tats, key)
	}
}
