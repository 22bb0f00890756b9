package recovery

// recoverTopic reads level 2.
func recoverTopic(r *Result, f *Facts, m *material, query string) {
	r.Query = query
	recoverWhere(r, m)
}
