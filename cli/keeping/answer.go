package keeping

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewAnswerCmd returns the command continuo answer.
func NewAnswerCmd(env *place.Env, o *out.Output) *cobra.Command {
	var message, input string
	cmd := &cobra.Command{
		Use:   "answer [QUESTION allow|deny|always]",
		Short: "List the open questions of sessions in the keeper, or answer one",
		Long: `Answer a question of a session in the keeper. QUESTION is the ID of the question, or the first
characters of the ID. Without arguments, list the open questions. With always, Claude Code
also adds the first permission rule that it suggested with the question.

--message is the reason for a denial. Claude reads it. --input replaces the input of the
tool. To answer a question of Claude, pass its input with the field "answers", an
object with an answer for each question.

Exit codes: 1 no keeper is running; 2 an error; 3 no such question.`,
		Example: `  continuo answer
  continuo answer 5c1e allow
  continuo answer 5c1e deny --message "Use make test."`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return completeQuestions(cmd.Context(), env), find.CandidatesOnly
			case 1:
				return answers(), find.CandidatesOnly
			}
			return nil, find.CandidatesOnly
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			flags := cmd.Flags()
			switch {
			case len(args) == 0 && !flags.Changed("message") && !flags.Changed("input"):
				return listQuestions(cmd.Context(), env, o)
			case len(args) != 2 || !slices.Contains(answers(), args[1]):
				return out.Usage("answer takes a question and its answer: allow, deny or always.", "continuo answer   lists the questions", "continuo answer --help")
			case flags.Changed("message") && args[1] != "deny":
				return out.Usage("--message needs deny.", "continuo answer --help")
			case flags.Changed("input") && (args[1] == "deny" || !json.Valid([]byte(input))):
				return out.Usage("--input takes a JSON object, and needs allow or always.", "continuo answer --help")
			}
			return answerQuestion(cmd.Context(), env, o, args[0], args[1], message, input)
		},
	}
	cmd.Flags().StringVar(&message, "message", "", "`TEXT`: the reason for a denial, which Claude reads")
	cmd.Flags().StringVar(&input, "input", "", "allow the call with `JSON` as its input")
	return cmd
}

func answers() []string { return []string{"allow", "deny", "always"} }

func questions(ctx context.Context, env *place.Env) (list []api.Attention, err error) {
	err = call(ctx, env, http.MethodGet, "/attention", nil, &list)
	return list, err
}

func completeQuestions(ctx context.Context, env *place.Env) (list []cobra.Completion) {
	all, _ := questions(ctx, env) // no keeper, no questions
	for i := range all {
		list = append(list, cobra.CompletionWithDesc(all[i].ID, asked(&all[i])))
	}
	return list
}

// asked describes a question on one line: the tool and the main argument.
func asked(a *api.Attention) string {
	c := (&transcript.Block{Name: a.ToolName, Input: a.ToolInput}).Call(nil)
	text := c.Verb()
	if p := c.Target(); p != nil {
		text += " " + p.Text()
	}
	return transcript.CleanLine(text)
}

func listQuestions(ctx context.Context, env *place.Env, o *out.Output) error {
	list, err := questions(ctx, env)
	if err != nil {
		return err
	}
	type question = api.Attention
	table := &out.Table[question]{
		Piped: "id type session at call", Shown: "id call age", Empty: "No question is open.",
		Mark: func(question) render.Span { return render.Span{Ink: render.Strong, Text: "?"} },
		Columns: []out.Column[question]{
			{Key: "id", Value: func(q question) any { return out.Path(q.ID) }, Text: func(q question) string { return transcript.CleanLine(q.ID) }},
			{Key: "type", Value: func(q question) any { return q.Type }},
			{Key: "session", Value: func(q question) any { return out.Path(q.SessionID) }},
			{Key: "at", Value: func(q question) any { return out.Time(q.Timestamp) }},
			{Key: "call", Fill: true, Least: 20, Value: func(q question) any { return asked(&q) }, Text: func(q question) string { return asked(&q) }},
			{Key: "age", Right: true, Text: func(q question) string { return words.Ago(env.Now(), q.Timestamp) }},
		},
	}
	return table.Print(o, list, "")
}

func answerQuestion(ctx context.Context, env *place.Env, o *out.Output, word, answer, message, input string) error {
	list, err := questions(ctx, env)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(a api.Attention) bool { return word == "" || !strings.HasPrefix(a.ID, word) })
	switch len(list) {
	case 0:
		return &out.Failure{Code: out.ExitNone, What: "No question " + out.Quoted(word) + " is open.", Hints: []string{"continuo answer   lists the open questions"}}
	case 1:
	default:
		return &out.Failure{What: "Several open questions start with " + out.Quoted(word) + ". Use more characters.", Hints: []string{"continuo answer   lists the open questions"}}
	}
	in := api.Resolve{Behavior: map[string]string{"allow": api.BehaviorAllow, "always": api.BehaviorAlways, "deny": api.BehaviorDeny}[answer], Message: message}
	if input != "" {
		in.UpdatedInput = json.RawMessage(input)
	}
	var resolved api.Resolved
	if err := call(ctx, env, http.MethodPost, "/attention/"+pathWord(list[0].ID)+"/resolve", in, &resolved); err != nil {
		return err
	}
	return out.NewRecord().Set("resolved", resolved.Resolved).Print(o, func() string { return "Answered: " + asked(&list[0]) + ".\n" })
}

// pathWord escapes a segment of a URL path.
func pathWord(s string) string { return url.PathEscape(s) }
