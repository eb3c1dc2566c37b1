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
    ])
    func `fish offers the words that hub gives, with their meaning`(line: String, offered: [String]) {
        let shown = Shell.run(
            "fish", "--no-config", "source \(Golden.path("completion.fish")); complete -C '\(line)'")
        #expect(shown == offered)
    }

    @Test(arguments: [
        ("hub contacts se", "hub contacts search "), ("hub contacts list --json=n", "hub contacts list --json=name"),
        ("hub contacts show Łuk", "hub contacts show Łukasz\\ Nowak "),
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
}
