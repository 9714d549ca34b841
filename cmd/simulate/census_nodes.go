package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// leftAside are the flags of CLUSTER NODES with which redis-cli leaves a node aside
// (clusterManagerLoadInfoFromNode), beside a link that is not connected.
var leftAside = []string{"noaddr", "fail", "handshake"}

// parseNodes reads what CLUSTER NODES of a node answers. Primaries come in the order
// in which redis-cli holds them: first the node that was asked, then the others as
// they are listed. Replicas and primaries that have failed are left out. The error
// says in which line it is.
func parseNodes(text string) (*census, error) {
	c := newCensus(0)
	c.real = true
	type primary struct {
		member
		line   int
		ranges []string
	}
	var all []primary
	seen, myself := map[string]bool{}, false
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) < 8 || len(fields[0]) != 40 {
			return nil, fmt.Errorf("%d: this is no line of CLUSTER NODES", i+1)
		}
		p := primary{member: member{id: fields[0]}, line: i + 1, ranges: fields[8:]}
		flags := strings.Split(fields[2], ",")
		if seen[p.id] {
			return nil, fmt.Errorf("%d: node %s is there twice; give what one node answered", p.line, p.id)
		}
		seen[p.id] = true
		var err error
		if p.member.host, p.member.port, err = parseAddress(fields[1]); err != nil {
			return nil, fmt.Errorf("%d: %w", p.line, err)
		}
		p.name = fmt.Sprintf("%s:%d", p.host, p.port)
		self := slices.Contains(flags, "myself")
		switch {
		case self && myself:
			return nil, fmt.Errorf("%d: two nodes say that they are myself; give what one node answered", p.line)
		case slices.ContainsFunc(flags, func(f string) bool { return slices.Contains(leftAside, f) }),
			!self && fields[7] != "connected":
			if len(p.ranges) > 0 {
				return nil, fmt.Errorf("%d: %s has slots and cannot be reached; redis-cli moves nothing then",
					p.line, p.name)
			}
		case !slices.Contains(flags, "master"):
		case self:
			all = slices.Insert(all, 0, p)
		default:
			all = append(all, p)
		}
		myself = myself || self
	}
	for i, p := range all {
		c.add(p.member)
		for _, text := range p.ranges {
			if err := c.giveText(text, i); err != nil {
				return nil, fmt.Errorf("%d: %w", p.line, err)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("1: there is no primary here; give what redis-cli CLUSTER NODES prints")
	}
	return c, nil
}

// giveText gives a member the slots that CLUSTER NODES shows with it. With a slot
// that is open redis-cli moves nothing (clusterManagerCheckCluster).
func (c *census) giveText(text string, to int) error {
	if open, is := strings.CutPrefix(text, "["); is {
		slot, _, _ := strings.Cut(open, "-")
		return fmt.Errorf("slot %s is open, and redis-cli moves nothing then; "+
			"redis-cli --cluster fix %s closes it", slot, c.members[to].name)
	}
	r, err := parseRange(text)
	if err != nil {
		return err
	}
	return c.give(r.First, r.Last, to)
}

// parseAddress reads an address such as "127.0.0.1:7000@17000,host.name". Without a
// host, which a node that does not know its own address shows, it is this one.
func parseAddress(text string) (host string, port int, err error) {
	address, _, _ := strings.Cut(text, "@")
	address, _, _ = strings.Cut(address, ",")
	colon := strings.LastIndexByte(address, ':')
	if colon < 0 {
		return "", 0, fmt.Errorf("%q is no address; it would have a port", text)
	}
	if port, err = strconv.Atoi(address[colon+1:]); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no port", address[colon+1:])
	}
	if host = address[:colon]; host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// parseSlotsOf reads what each primary owns: lists of slots, or "none".
func parseSlotsOf(lists []string) (*census, error) {
	c := newCensus(len(lists))
	for i, list := range lists {
		for _, text := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
			if text == "none" {
				continue
			}
			r, err := parseRange(text)
			if err != nil {
				return nil, err
			}
			if err := c.give(r.First, r.Last, i); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}
