// Package setup installs continuo in a project or in the settings of a user, and uninstalls it (spec 000). It writes
// entries in settings.json, scripts, commands, a section of CLAUDE.md, and the files in .claude/memory.
//
// Look returns the installed hooks. PlanInstall and PlanUninstall return a Plan. Plan.Change returns the
// change.Change for sessions/act. In a settings.json, only the entries of continuo are changed. The record of an
// installation has the originals, which an uninstall restores exactly.
package setup
