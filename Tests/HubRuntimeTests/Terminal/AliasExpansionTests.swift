import HubRuntime
import System
import Testing

@Suite struct AliasExpansionTests {
    private let expansion = AliasExpansion(
        root: SampleHub.root,
        aliases: [
            "c": "contacts search", "contacts": "mintee", "loop": "loop", "quoted": "contacts list --tag 'old work'",
            "broken": "contacts 'x",
        ])

    @Test(arguments: [
        (["c", "lukasz"], ["contacts", "search", "lukasz"]), (["contacts", "list"], ["contacts", "list"]),
        (["--json", "c", "x"], ["--json", "contacts", "search", "x"]),
        (["--color", "c", "c"], ["--color", "c", "contacts", "search"]),
        (["quoted"], ["contacts", "list", "--tag", "old work"]), (["search", "c"], ["search", "c"]), ([], []),
        (["-q"], ["-q"]),
    ])
    func `an alias expands once and hides no command`(typed: [String], expanded: [String]) throws {
        #expect(try expansion.expand(typed) == expanded)
    }

    @Test func `an alias that runs itself is named as such`() {
        let error = #expect(throws: HubError.self) { try expansion.expand(["loop"]) }
        #expect(error?.kind == .config && error?.message == "the alias loop runs itself: loop")
    }

    @Test func `an alias that is no command line is an error of the configuration`() {
        #expect { try expansion.expand(["broken"]) } throws: { ($0 as? HubError)?.kind == .config }
    }
}
