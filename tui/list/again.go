package list

// survivor is the key of the row that the bar goes to when its own is gone: of those that were listed, the first after
// it that is still there, else the last before it. Its own group goes before the others.
func (l *pane) survivor(was []item, bar int) string {
	from, to := bar, bar+1
	for from > 0 && from < len(was) && was[from].heading == "" {
		from--
	}
	for to < len(was) && was[to].heading == "" {
		to++
	}
	listed := make(map[string]bool, len(l.items))
	for i := range l.items {
		listed[l.items[i].key()] = true
	}
	for _, span := range [][2]int{{from, to}, {0, len(was)}} {
		for i := bar; i < min(span[1], len(was)); i++ {
			if k := was[i].key(); k != "" && listed[k] {
				return k
			}
		}
		for i := min(bar, len(was)) - 1; i >= span[0]; i-- {
			if k := was[i].key(); k != "" && listed[k] {
				return k
			}
		}
	}
	return ""
}
