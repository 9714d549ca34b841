package scenarios

import (
	"fmt"
	"strings"
	"time"
)

// seeds reads in which seeds a threshold must hold, if it says so.
func (p *thresholdParser) seeds(t *Threshold) error {
	const example = `"in every seed" or "in 95% of seeds"`
	if p.peek() != "in" {
		return nil
	}
	p.next()
	t.EachSeed, t.SeedsLow, t.SeedsHigh = true, 1, 1
	word := p.next()
	if word == "every" {
		return p.expect("seed", "in every seed")
	}
	var err error
	if t.SeedsLow, err = parseShare(word, example); err != nil {
		return err
	}
	if p.peek() == "to" {
		p.next()
		if t.SeedsHigh, err = parseShare(p.next(), example); err != nil {
			return err
		}
	}
	if err := p.expect("of", "in 95% of seeds"); err != nil {
		return err
	}
	return p.expect("seeds", "in 95% of seeds")
}

// parseShare reads a percentage.
func parseShare(word, example string) (float64, error) {
	share, unit, ok := splitNumber(word)
	if !ok || unit != "%" || share < 0 || share > 100 {
		return 0, fmt.Errorf("%q is no share; write one such as %s", word, example)
	}
	return share / 100, nil
}

// window reads the part of the run, if there is one.
func (p *thresholdParser) window(q *Quantity, metric Metric) (err error) {
	word := p.peek()
	if word != "after" && word != "before" && word != "from" && word != "during" {
		return nil
	}
	if !metric.Window {
		return fmt.Errorf("%s is known of the whole run only; remove the window", metric.Name)
	}
	p.next()
	w := &q.Window
	if word == "during" {
		w.FromEvent = p.next()
		w.ToEvent, w.ToEnd = w.FromEvent, true
		return nil
	}
	if word != "from" {
		w.FromEvent = p.next()
		w.ToEvent = w.FromEvent
		if err = p.expect("for", word+" kill-a for 5s"); err != nil {
			return err
		}
		length, err := parseDuration(p.next())
		if w.To = length; word == "before" {
			w.From, w.To = -length, 0
		}
		return err
	}
	const example = "from 5s to 10s"
	if w.FromEvent, w.From, err = parseEdge(p.next()); err != nil {
		return err
	}
	if err = p.expect("to", example); err != nil {
		return err
	}
	if w.ToEvent, w.To, err = parseEdge(p.next()); err != nil {
		return err
	}
	if w.FromEvent == "" && w.ToEvent == "" && w.To <= w.From {
		return fmt.Errorf("the window ends before it begins; write one such as %q", example)
	}
	return nil
}

// parseEdge reads where a window begins or ends: a duration, or an event.
func parseEdge(word string) (event string, d time.Duration, err error) {
	if word != "" && strings.IndexByte("+-.0123456789", word[0]) < 0 {
		return word, 0, nil
	}
	d, err = parseDuration(word)
	return "", d, err
}
