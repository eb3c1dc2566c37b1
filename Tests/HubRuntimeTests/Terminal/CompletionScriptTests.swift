import Glibc
import HubRuntime
import TestSupport
import Testing

/// The scripts in the shells they are for; a shell that is missing is a failure.
@Suite struct CompletionScriptTests {
    @Test(arguments: CompletionShell.allCases)
    func `a script is what its golden file shows`(shell: CompletionShell) {
        Golden.expect(shell.script + "\n", is: "completion.\(shell.rawValue)")
    }

    @Test(arguments: [
        ("hub contacts s", "hub contacts s", ["search", "show"]), ("hub ", "hub ''", ["search", "show"]),
        ("hub contacts list --", "hub contacts list --", ["--limit", "--tag"]),
        ("hub contacts list --json=na", "hub contacts list --json = na", ["name", "tags"]),
        ("hub contacts list --json=", "hub contacts list --json =", ["name", "tags"]),
        ("hub contacts show Łuk", "hub contacts show Łuk", ["Łukasz\\ Nowak"]),
        ("hub contacts show now", "hub contacts show now", ["5h8"]),
        // The blank keeps bash from putting the common beginning of the ids in the place of what was typed.
        ("hub mintee done R", "hub mintee done R", ["9ph  Read", "9bf  Run", " "]),
        ("hub mintee done 9", "hub mintee done 9", ["9ph  Read", "9bf  Run"]),
    ])
    func `bash offers the words that hub gives`(line: String, words: String, offered: [String]) {
        let shown = Shell.run(
            "bash", "--norc",
            """
            source \(Golden.path("completion.bash"))
            COMP_LINE='\(line)' COMP_POINT=${#COMP_LINE} COMP_WORDS=(\(words))
            COMP_POINT=${#COMP_LINE} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _hub
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(shown == offered)
    }

    @Test(arguments: [
        ("hub contacts s", ["search\tfind people", "show\tall that is known"]),
        ("hub contacts list --", ["--limit\tat most N rows", "--tag\tonly with this tag"]),
        ("hub contacts list --json=", ["--json=name\tthe display name", "--json=tags\tthe tags"]),
        ("hub contacts show Łuk", ["Łukasz Nowak\tlukasz@nowak.pl"]),
        ("hub contacts show luk", ["5h8\tŁukasz Nowak ~ luk"]), ("hub mintee done R", ["9bf\tRun", "9ph\tRead"]),
    ])
    func `fish offers the words that hub gives, with their meaning`(line: String, offered: [String]) {
        let shown = Shell.run(
            "fish", "--no-config", "source \(Golden.path("completion.fish")); complete -C '\(line)'")
        #expect(shown == offered)
    }

    @Test(arguments: [
        ("hub contacts se", "hub contacts search "), ("hub contacts list --json=n", "hub contacts list --json=name"),
        ("hub contacts show Łuk", "hub contacts show Łukasz\\ Nowak "),
        ("hub contacts show now", "hub contacts show 5h8 "), ("hub mintee done R", "hub mintee done R"),
    ])
    func `zsh completes the line`(line: String, completed: String) {
        let shown = Shell.run(
            "zsh", "-f",
            """
            zmodload zsh/zpty
            zpty shell "zsh -f -i"
            zpty -w shell "unsetopt prompt_cr prompt_sp; PS1= RPS1=; stty -echo; fpath=($fpath)"
            zpty -w shell "autoload -Uz compinit; compinit -D -u; source \(Golden.path("completion.zsh"))"
            zpty -w shell "capture() { print -r -- \\"<<<\\$BUFFER>>>\\"; BUFFER=; zle accept-line; }"
            zpty -w shell "zle -N capture; bindkey '^X' capture; print READY"
            zpty -r -m shell line '*READY*'
            zpty -w -n shell $'\(line)\\t\\x18'
            zpty -r -m shell line '*<<<*>>>*'
            print -r -- ${${line##*<<<}%%>>>*}
            zpty -d shell
            """)
        #expect(shown == [completed])
    }

    @Test(arguments: [
        ("hub contacts show now", "hub contacts show 5h8 "), ("hub mintee done R", "hub mintee done R"),
        ("hub mintee done 9", "hub mintee done 9"),
    ])
    func `bash at a prompt never loses what was typed`(line: String, completed: String) {
        let shown = Shell.run(
            "zsh", "-f",
            #"""
            zmodload zsh/zpty
            zpty shell "bash --norc -i"
            zpty -w shell "PS1=; stty -echo; bind 'set enable-bracketed-paste off'; source \#(Golden.path("completion.bash"))"
            zpty -w shell "bind -x '\"\\C-x\": printf \"<<<%s>>>\\n\" \"\$READLINE_LINE\"'; echo REA''DY"
            zpty -r -m shell line '*READY*'
            zpty -w -n shell $'\#(line)\t\x18'
            zpty -r -m shell line '*<<<*>>>*'
            print -r -- ${${line##*<<<}%%>>>*}
            zpty -d shell
            """#)
        #expect(shown == [completed])
    }

    @Test func `fish is silent when hub is gone`() {
        let shown = Shell.run(
            "fish", "--no-config", "source \(Golden.path("completion.fish")); set PATH /nowhere; complete -C 'hub con'")
        #expect(shown == [])
    }
}
