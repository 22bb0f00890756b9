package keeping

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// NewSendCmd returns the command continuo send.
func NewSendCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest bool
	cmd := &cobra.Command{
		Use:   "send SESSION TEXT",
		Short: "Send a prompt to a session in the keeper",
		Long: `Send a prompt to a session in the keeper. If the session isn't running there,
the keeper resumes the session. If a turn is running, the prompt is sent after this turn.

Exit codes: 1 no keeper is running; 2 an error, or another client has the session open;
3 no such session, or its folder is outside of keeper.roots.`,
		Example: `  continuo send 3f9ac1e0 "Run the tests again."
  continuo send --latest "Go on."`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			if last < 0 || args[last] == "" || last == 0 && !latest {
				return out.Usage("send takes a session and a text. Put the text in quotes.", "continuo send --help")
			}
			arg, err := find.NewSessionArg(cmd, args[:last], latest)
			if err != nil {
				return err
			}
			return sendPrompt(cmd.Context(), env, o, arg, args[last])
		},
	}
	find.AddLatest(cmd, &latest)
	return cmd
}

func sendPrompt(ctx context.Context, env *place.Env, o *out.Output, arg find.SessionArg, text string) error {
	if Find(ctx, env) == nil {
		return noKeeper()
	}
	row, _, err := find.Session(ctx, env, arg)
	if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNone && arg.Word != "" {
		row.ID, err = arg.Word, nil // a new session has no transcript
	}
	if err != nil {
		return err
	}
	var sent api.Sent
	err = call(ctx, env, http.MethodPost, "/sessions/"+pathWord(row.ID)+"/send", api.Send{Message: text}, &sent)
	if err != nil {
		return sendFailure(env, row.ID, err)
	}
	return out.NewRecord().Set("sent", sent.Sent).Set("id", out.Path(sent.ID)).Print(o, func() string { return "Sent.\n" })
}

// sendFailure names the process if another client has the session open.
func sendFailure(env *place.Env, id string, err error) error {
	f, ok := errors.AsType[*out.Failure](err)
	r, refused := errors.AsType[*refused](err)
	if !ok || !refused || r.PID == 0 {
		return err
	}
	f.What = "Another client has this session open: process " + strconv.Itoa(r.PID)
	if since, err := time.Parse(time.RFC3339, r.Since); err == nil {
		f.What += ", since " + env.Moment(since)
	}
	f.What += ". Write there, or fork the session."
	f.Hints = []string{"continuo resume " + place.ShellWord(id) + " --fork"}
	return f
}
