// Package setup installs what continuo needs in a project or in the settings of a person, and removes it again (spec 000):
// entries in settings.json, scripts, commands, a part of CLAUDE.md and the files of the memory.
//
// Look reads which hooks are installed. PlanInstall and PlanUninstall look at the files and return a Plan; Plan.Change
// makes a change.Change of it, which sessions/act carries out. A settings.json keeps every byte around our entries. The
// record of an installation holds what each file was before, so that an uninstall restores it to the byte.
package setup
