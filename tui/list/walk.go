package list

// todo is what is open in a document and stands under the bar, "" none.
func (l *pane) todo() string {
	if it := l.selected(); it.todo != nil {
		return it.todo.todo.Text
	}
	return ""
}

// isOnMore reports whether the bar is on what stands for the rest of what is open.
func (l *pane) isOnMore() bool { return l.selected().more != "" }

// toggleMore lists all that is open, or the first of it. Build lists it.
func (l *pane) toggleMore() { l.docs.all, l.touched = !l.docs.all, true }
