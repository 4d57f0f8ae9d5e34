package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/service"
	"tictactoe/store"
)

// checkShards checks SHARD_COUNT and SHARD_IDS.
func checkShards(p *problems, count, ids string) (c service.Shards) {
	count, ids = strings.TrimSpace(count), strings.TrimSpace(ids)
	numeric := count != "auto" && count != "" // as where nothing sets it
	if numeric {
		n, err := strconv.Atoi(count)
		if err != nil || !service.ValidShards(n) {
			p.add("SHARD_COUNT %q is not auto, 1, 2, 4, 8, 16, 32, or a multiple of 64 up to %d", count, service.MostShards)
		} else {
			c.Count = n
		}
	}
	if ids == "" {
		return c
	}
	var err error
	switch c.IDs, err = parseShardIDs(ids); {
	case err != nil:
		p.add("SHARD_IDS %q is not a list of shards such as 0-3,8: %v", ids, err)
	case !numeric:
		p.add("SHARD_IDS %q says which shards are this process's, but not of how many: set SHARD_COUNT to a number, the same one for every process", ids)
	case c.Count > 0 && c.IDs[len(c.IDs)-1] >= c.Count:
		p.add("SHARD_IDS %q names shard %d, but with SHARD_COUNT=%d they are 0 to %d", ids, c.IDs[len(c.IDs)-1], c.Count, c.Count-1)
	default:
		for _, id := range c.IDs {
			if other := (id + store.Domains) % c.Count; c.Count > store.Domains && !slices.Contains(c.IDs, other) {
				p.add("SHARD_IDS %q names shard %d without %d: those that are %d apart have their clocks in common, and belong to one process", ids, id, other, store.Domains)
				break
			}
		}
	}
	return c
}

// parseShardIDs returns the numbers of a list such as 0-3,8 in order.
func parseShardIDs(text string) (ids []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		var ends [2]int
		for i, text := range []string{from, to} {
			n, err := strconv.ParseUint(text, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("%q is no number", text)
			}
			ends[i] = int(n)
		}
		if ends[1] < ends[0] || ends[1] >= service.MostShards {
			return nil, fmt.Errorf("%q is no range of shards", part)
		}
		for id := ends[0]; id <= ends[1]; id++ {
			if slices.Contains(ids, id) {
				return nil, fmt.Errorf("%d is there twice", id)
			}
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
