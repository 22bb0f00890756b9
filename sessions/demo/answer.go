package demo

import "time"

// block is one content block of an answer. A tool call brings its result along.
type block struct {
	kind   string // text, thinking, tool_use
	text   string
	id     string // of the call
	tool   string
	input  object
	result *result
	then   func() // what happens between the call and its result, inside the file
}

// result is what a tool call gave back.
type result struct {
	text   string
	blocks []object // in place of text
	failed bool
	extra  any // toolUseResult
}

// model returns the model that answers in this version of the client.
func (t *talk) model() string {
	switch t.version {
	case versionSidecar:
		return "claude-opus-4-1-20250805"
	case versionTodo:
		return "claude-opus-4-5-20251101"
	case versionSpring:
		return "claude-opus-4-8"
	}
	return "claude-opus-5-5"
}

func think(text string) block { return block{kind: "thinking", text: md(text)} }
func say(text string) block   { return block{kind: "text", text: md(text)} }

// answer writes one answer of the API, one record per block as the client does, all with the same message id,
// request id and usage. The results of its calls follow; each hangs on the record of its own call, so that a
// call followed by another one has two children.
func (t *talk) answer(blocks ...block) {
	a := t.begin(blocks)
	stop := "end_turn"
	for _, b := range blocks {
		if b.kind == "tool_use" {
			stop = "tool_use"
		}
	}
	calls := make([]string, len(blocks))
	for i, b := range blocks {
		calls[i] = t.block(a, i, b, stop)
	}
	for i, b := range blocks {
		if b.result == nil {
			continue
		}
		if b.then != nil {
			b.then()
		}
		t.result(calls[i], b)
	}
}

// reply is what the records of one answer share.
type reply struct {
	message string
	request string
	usage   object // as the last record has it
	early   object // as the records before it have it, in old clients
	last    int    // index of the last block
}

func (t *talk) begin(blocks []block) reply {
	t.wait(4 * time.Second)
	t.request()
	out := 0
	for _, b := range blocks {
		out += len(b.text)/4 + len(b.tool)*12 + 1
	}
	write := t.between(200, 2_000)
	a := reply{message: t.apiID("msg"), request: t.apiID("req"), last: len(blocks) - 1}
	a.usage = t.usage(out, write)
	a.early = a.usage
	if t.old() {
		a.early = t.usage(1, write)
	}
	t.context += out
	return a
}

// usage returns what the API counted.
func (t *talk) usage(out, write int) object {
	u := object{
		{"input_tokens", t.prompts + 3},
		{"cache_creation_input_tokens", write},
		{"cache_read_input_tokens", 12_000 + t.context},
		{"output_tokens", out},
	}
	if !t.old() {
		u = append(u, field{"server_tool_use", object{{"web_search_requests", 0}, {"web_fetch_requests", 0}}})
	}
	return append(u,
		field{"service_tier", "standard"},
		field{"cache_creation", object{{"ephemeral_1h_input_tokens", 0}, {"ephemeral_5m_input_tokens", write}}})
}

// block writes one record of an answer and returns its uuid.
func (t *talk) block(a reply, i int, b block, stop string) string {
	t.wait(time.Second)
	message := object{
		{"content", []object{b.json(t)}},
		{"id", a.message},
		{"model", t.model()},
		{"role", "assistant"},
		{"stop_reason", stop},
		{"stop_sequence", nil},
		{"type", "message"},
		{"usage", a.usage},
		{"stop_details", nil},
	}
	if stop == "" {
		message[4].val = nil
	}
	if t.old() {
		usage := a.usage
		if i < a.last {
			usage = a.early
		}
		return t.chained(object{
			{"message", object{
				{"model", t.model()},
				{"id", a.message},
				{"type", "message"},
				{"role", "assistant"},
				{"content", []object{b.json(t)}},
				{"stop_reason", nil},
				{"stop_sequence", nil},
				{"usage", usage},
			}},
			{"requestId", a.request},
			{"type", "assistant"},
		})
	}
	return t.chained(object{
		{"message", message},
		{"apiBlockIndex", i},
		{"requestId", a.request},
		{"requestedModel", t.model()},
		{"type", "assistant"},
	}, field{"effort", "medium"}, field{"madeBy", "model"}, field{"session_id", t.id})
}

// json returns the block as it stands in a message.
func (b block) json(t *talk) object {
	switch {
	case b.kind == "thinking" && t.old():
		return object{{"type", "thinking"}, {"thinking", b.text}, {"signature", t.hex(64)}}
	case b.kind == "thinking":
		return object{{"signature", t.hex(64)}, {"thinking", b.text}, {"type", "thinking"}}
	case b.kind == "tool_use" && t.old():
		return object{{"type", "tool_use"}, {"id", b.id}, {"name", b.tool}, {"input", b.input}}
	case b.kind == "tool_use":
		return object{{"id", b.id}, {"input", b.input}, {"name", b.tool}, {"type", "tool_use"}}
	case t.old():
		return object{{"type", "text"}, {"text", b.text}}
	}
	return object{{"text", b.text}, {"type", "text"}}
}

// result writes the user record with what a call gave back; call is the uuid of the record that made it.
func (t *talk) result(call string, b block) {
	t.wait(500 * time.Millisecond)
	r := b.result
	content := field{"content", r.text}
	if r.blocks != nil {
		content.val = r.blocks
	}
	use := object{{"tool_use_id", b.id}, {"type", "tool_result"}, content}
	if b.tool == "Bash" && !r.failed {
		use = append(use, field{"is_error", false})
	}
	if r.failed {
		use = object{{"type", "tool_result"}, content, {"is_error", true}, {"tool_use_id", b.id}}
	}
	t.context += len(r.text) / 4
	t.parent = call
	body := object{opt("promptId", t.promptID), {"type", "user"}, {"message", object{{"role", "user"}, {"content", []object{use}}}}}
	if t.old() {
		t.chained(body[1:], field{"toolUseResult", r.extra})
		return
	}
	t.chained(body, field{"toolUseResult", r.extra}, field{"sourceToolAssistantUUID", call})
}

// interrupted writes an answer that the person stopped: its text so far, and the note about it.
func (t *talk) interrupted(text string) {
	t.mark(ShapeInterrupted)
	b := []block{say(text)}
	a := t.begin(b)
	t.block(a, 0, b[0], "")
	t.wait(2 * time.Second)
	t.chained(object{
		opt("promptId", t.promptID),
		{"type", "user"},
		{"message", object{
			{"role", "user"},
			{"content", []object{{{"type", "text"}, {"text", "[Request interrupted by user]"}}}},
		}},
	}, field{"interruptedMessageId", a.message})
}

// apiError writes the answer that the client makes up when the API gave none.
func (t *talk) apiError(status int, kind, text string) {
	t.mark(ShapeAPIError)
	t.wait(8 * time.Second)
	t.request()
	id := t.uuid()
	t.line(t.head(), object{
		{"type", "assistant"},
		{"uuid", id},
		{"timestamp", stamp(t.at)},
		{"message", object{
			{"id", t.uuid()},
			{"model", "<synthetic>"},
			{"role", "assistant"},
			{"stop_reason", "stop_sequence"},
			{"stop_sequence", ""},
			{"type", "message"},
			{"usage", object{
				{"input_tokens", 0},
				{"output_tokens", 0},
				{"cache_creation_input_tokens", 0},
				{"cache_read_input_tokens", 0},
				{"service_tier", nil},
			}},
			{"content", []object{{{"type", "text"}, {"text", text}}}},
		}},
		{"error", "unknown"},
		{"isApiErrorMessage", true},
		{"apiErrorStatus", status},
		{"apiErrorType", kind},
	}, t.tail())
	t.parent = id
}
