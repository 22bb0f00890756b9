package demo

// part has the facts about one session of the data that tests check.
type part struct {
	id     string
	name   string // title in a list
	shapes []Shape
}

// cast describes each session in the directory data, newest first.
func cast() []part {
	return []part{
		{"1d4f13a4-c76e-4658-9a37-0885ca9b8600", "Fix refresh token race at midnight", []Shape{ShapeSubagent}},
		{"a4d9a79c-8673-42bb-b2f6-8f8796b88f5d", "Keep the centimetres in the tide table", nil},
		{"8e424e03-a5ac-4074-af05-757baafa7b1b", "Rewrite the waitlist e-mails", []Shape{ShapeHiddenBranch}},
		{"dedda421-1827-4540-8ec2-87792d21b898", "The 02:14 that never leaves in March", nil},
		{"1afc2d3b-a53a-4137-b641-8d3ea09f4b16", "Cancellation window for bookings", []Shape{ShapeCommand, ShapeCustomTitle}},
		{"2228b906-7fa3-49ad-a5ea-9eb94f5af16f", "Two reservations for one atlas", []Shape{ShapeInterrupted}},
		{"da83fbe6-f428-4d83-a2b5-7ad8103eafe5", "Why is the nightly export slow?", nil},
		{"545671ef-ad95-40fd-a0fc-b03cb538ce59", "Six new teas for the menu", []Shape{ShapeMultiByte}},
		{"75dc6b33-1c9a-41cf-b469-44c490182b52", "The press stops at the first umlaut", nil},
		{"c6073ee8-8246-408a-b28d-49fa8180f799", "Move the slot picker to the server", []Shape{ShapeCompacted}},
		{"3e5b9a17-40c2-4d6f-b8a1-95d27c0f6e34", "Slots of closed days as 404", []Shape{ShapeFork}},
		{"73e474cf-9161-4306-8bb9-113f49ceed56", "Footnotes of the tide table in Breton", []Shape{ShapeAPIError}},
		{"147b753d-9bc9-4273-8513-fed181f8a169", "Import the old card catalogue", []Shape{ShapeCorrupt}},
		{"9d7fef03-7ea6-4153-a50c-3e733cb2885e", "Seeds that may cross a border", nil},
		{"846a22dd-2be7-4da4-a147-6ad240b443c2", "List the shelves that have room for ten more books. Answer with JSON only.", []Shape{ShapeSDK}},
		{"f7682524-937b-4dac-b4e0-820689c3b9e9", "", []Shape{ShapeEmpty}},
		{"31afdd70-6f9d-45da-83cb-e2625a11e7fe", "Leeway for the harbour self test", []Shape{ShapeEscape}},
		{"c5d107c7-a668-45ae-a70c-084b1725c476", "Which books should be in the window this week? It rains until Sunday.", []Shape{ShapeTornTail}},
		{"94000ca9-bb2d-4e48-825f-6c17b4b58023", "", []Shape{ShapeStub}},
		{"b312b2a3-af46-4a6e-a916-d082450e5f1c", "Almanac without a December", []Shape{ShapeTodos}},
		{"65f62ae6-3cb3-48d8-b43a-43955e22a64d", "Which of our pages mention the lighthouse? Use an agent, I keep working here.", []Shape{ShapeSidechain}},
		{"24670df5-113a-4375-bea3-0e8240cd881e", "A typeface for the autumn cards", nil},
		{"9218ee8b-e729-4497-931d-89e193645c91", "Germination trials as a chart", nil},
		{"e1859e82-40da-48d3-a8c0-7471f4c8a78e", "All stops on one postcard", nil},
		{"32b41ec9-36fc-4589-b0f0-f3ded7139b23", "Postgres or SQLite for the archive?", nil},
	}
}

// The shapes. Each has one session.
const (
	ShapeSubagent     Shape = "subagent"      // a sub-agent with a transcript of its own
	ShapeFork         Shape = "fork"          // the session begins with copies of messages of another one
	ShapeCompacted    Shape = "compacted"     // a compaction boundary, and a summary after it
	ShapeSidechain    Shape = "sidechain"     // a sub-agent in the file of the session, as in old clients
	ShapeHiddenBranch Shape = "hidden-branch" // two prompts with the same parent
	ShapeAPIError     Shape = "api-error"     // an answer that the client wrote for an API error
	ShapeInterrupted  Shape = "interrupted"   // a turn that was stopped
	ShapeSDK          Shape = "sdk"           // a session of claude -p
	ShapeStub         Shape = "stub"          // metadata only
	ShapeEmpty        Shape = "empty"         // an empty file
	ShapeCorrupt      Shape = "corrupt"       // a line in the middle isn't JSON
	ShapeTornTail     Shape = "torn-tail"     // the last line is incomplete
	ShapeMultiByte    Shape = "multi-byte"    // text in many scripts
	ShapeEscape       Shape = "escape"        // tool output with escape sequences
	ShapeCommand      Shape = "command"       // a slash command
	ShapeCustomTitle  Shape = "custom-title"  // a title set by the user
	ShapeTodos        Shape = "todos"         // a list of to-dos
)
