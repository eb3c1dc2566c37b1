import HubRuntime
import TestSupport
import Testing

@Suite struct ManualTests {
    @Test func `there is a page for hub and one for each plugin`() {
        let pages = Manual.pages(root: SampleHub.root, version: "1.0")
        #expect(
            pages.map(\.fileName) == [
                "hub.1", "hub-contacts.1", "hub-notes.1", "hub-dictofun.1", "hub-market.1", "hub-mintee.1",
            ])
        for page in pages.prefix(2) { Golden.expect(page.source, is: page.fileName) }
    }

    @Test(arguments: ["hub.1", "hub-contacts.1"])
    func `groff reads a page without a warning`(name: String) {
        let warnings = Shell.run("sh", "-u", "groff -man -Tutf8 -ww -z \(Golden.path(name))")
        #expect(warnings == [])
    }

    @Test(arguments: ["hub.1", "hub-contacts.1", "hub-config.5"])
    func `mandoc finds nothing to complain about`(name: String) {
        let warnings = Shell.run("sh", "-u", "mandoc -Tlint -W warning \(Golden.path(name))")
        // Whether the date of the release has come depends on the clock of the machine.
        #expect(warnings.filter { !$0.contains("date in the future") } == [])
    }

    @Test func `the text of a page is never read as a request`() {
        var page = ManualPage(name: "hub-x", section: 5, summary: "a\\b", version: "1")
        page.paragraph(".so /etc/passwd")
        page.definition("--a \"b\"", "'quoted'")
        #expect(page.source.contains("\n\\&.so /etc/passwd\n"))
        #expect(page.source.contains(".B \"\\-\\-a \\(dqb\\(dq\""))
        #expect(page.source.contains("\n\\(aqquoted\\(aq\n"))
    }
}
