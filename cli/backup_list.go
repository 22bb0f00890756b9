package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
)

const helpBackupList = `
continuo backup list prints the raw backups of every project that continuo knows, newest first: those that are pending,
and those that nobody has looked at.

  --all                     the ones that were looked at too
  --project PATH            those of one project, or of every one below a directory
  --trash                   what lies in the trash of the projects, and can be taken back
  --json                    one array of objects, one a backup or an entry of the trash

A backup is pending while a marker names it. Nobody has looked at it when it is newer than every session document of
its project and was never opened here. The live file is the transcript of its session: it is as it was copied (same),
has grown since, was rewritten since, or is gone. For this the first and last 64 KB of the copy are compared. It
could not be compared where the transcript, or a project directory that may have it, cannot be read: "-", in JSON "".

Elsewhere than in a terminal every backup is printed, one a line with tabs between: name, pending unseen or seen, made,
made by, project, live file, bytes, session, path; "-" is unknown. Of the trash: entry, kind, when, backups, bytes,
project. An object has name, path, project, workdir, group, made, modified, madeBy, session, bytes, live, relation,
fault, reason; of the trash entry, project, kind, at, backups, bytes, made, unfinished.

Exit: 0 also when there are none · 2 when a part could not be read.
`

func newBackupListCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	var all, trash bool
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if trash {
				return listTrash(cmd.Context(), env, o, &ask)
			}
			return listBackups(cmd.Context(), env, o, &ask, all)
		},
	}
	addProject(cmd, &ask)
	cmd.Flags().BoolVar(&all, "all", false, "")
	cmd.Flags().BoolVar(&trash, "trash", false, "")
	return cmd
}

// listBackups prints the backups.
func listBackups(ctx context.Context, env *Env, o *out.Output, ask *backupAsk, all bool) error {
	l, err := readBackups(ctx, env, ask)
	if err != nil {
		return err
	}
	rememberShown(env, l)
	where := scope{}
	if ask.project != "" {
		where = scopeOf(ctx, env, l.rows, listOptions{project: ask.project})
	}
	list := l.of(where)
	shown := list
	if o.Out.Terminal && !o.JSON && !all {
		shown = nil
		for _, b := range list {
			if b.group != backupSeen {
				shown = append(shown, b)
			}
		}
	}
	if err := compareAll(ctx, shown, false); err != nil {
		return err
	}
	switch {
	case o.JSON:
		err = o.PrintArray(len(shown), func(i int) any { return shown[i].json() })
	case o.Out.Terminal:
		o.Out.Print(backupsText(env, o, list, shown))
	default:
		for _, b := range shown {
			o.Out.Print(b.piped())
		}
		o.Err.Print(backupsSum(list) + "\n")
	}
	if err != nil {
		return err
	}
	return incomplete(l.problem, where)
}

// piped is a backup for other programs.
func (b *backupRow) piped() string {
	made := out.Unknown
	if b.row.Dated() {
		made = b.row.When().UTC().Format(time.RFC3339)
	}
	live := string(b.relation)
	if b.fault != "" {
		live = strings.ReplaceAll(b.fault, " ", "-")
	}
	return strings.Join([]string{
		out.OrUnknown(out.CleanPath(b.row.ID)), string(b.group), made, out.OrUnknown(b.madeBy()), out.OrUnknown(out.CleanPath(b.row.Workdir)),
		out.OrUnknown(live), strconv.FormatInt(b.row.Bytes, 10), out.OrUnknown(out.CleanPath(b.row.Of)), out.CleanPath(b.row.Path),
	}, "\t") + "\n"
}

// backupJSON is a backup for programs.
type backupJSON struct {
	Name     string            `json:"name"` // of the file, without .jsonl
	Path     string            `json:"path"`
	Project  string            `json:"project"`
	Workdir  string            `json:"workdir"` // the folder that has the memory
	Group    backupGroup       `json:"group"`
	Made     out.Time          `json:"made"`
	Modified out.Time          `json:"modified"`
	MadeBy   string            `json:"madeBy"` // as the name of the file says; "" it does not
	Session  string            `json:"session"`
	Bytes    int64             `json:"bytes"`
	Live     *string           `json:"live"`     // path of the transcript
	Relation sessions.Relation `json:"relation"` // same, grown, rewritten, gone; "" could not be compared, or its session is not known
	Fault    string            `json:"fault"`
	Reason   string            `json:"reason"` // why it cannot be read
}

func (b *backupRow) json() backupJSON {
	j := backupJSON{
		Name: b.row.ID, Path: b.row.Path, Project: b.row.Project, Workdir: b.row.Workdir, Group: b.group,
		Made: out.Time(b.row.When()), Modified: out.Time(b.row.Modified), MadeBy: b.madeBy(), Session: b.row.Of, Bytes: b.row.Bytes,
		Relation: b.relation, Fault: b.fault, Reason: b.row.Reason,
	}
	if b.live != "" {
		j.Live = &b.live
	}
	return j
}
