package list

// selectAgain selects the same row again, or the nearest remaining row. Until the user moves the bar, it selects the
// first row.
func (l *pane) selectAgain(was []item, before int) {
	wait := !l.touched && l.field.Text() == ""
	if !wait && l.find(l.sel) >= 0 {
		return
	}
	if wait {
		before = 0
	} else if key := l.survivor(was, before); key != "" {
		l.sel = key
		return
	}
	before = min(before, len(l.items)-1)
	for _, i := range []int{l.bar.Next(before, 1), l.bar.Next(before, -1)} {
		if i >= 0 {
			l.sel = l.items[i].key()
			return
		}
	}
}

// survivor returns the key of the row to select after the selected row is gone: the next row or the previous one. Rows
// of the same group are preferred.
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
