import Testing

@testable import HubRuntime

struct VersionLineTests {
    private func line(_ arguments: [String], _ variables: [String: String] = [:]) -> String? {
        VersionCommand.line(for: ProcessEnvironment(arguments: arguments, variables: variables, home: "/"))
    }

    @Test func `hub --version alone needs no commands`() {
        #expect(line(["--version"], ["HOME": "/", "HUBRIS": "1"]) == "hub \(HubVersion.number)")
    }

    @Test(arguments: [
        [], ["version"], ["--version", "--json"], ["contacts", "--version"], ["--version", "--version"],
    ])
    func `everything else goes the way of all commands`(arguments: [String]) {
        #expect(line(arguments) == nil)
    }

    @Test func `a variable that sets an option is respected`() {
        #expect(line(["--version"], ["HUB_JSON": "version"]) == nil)
    }
}
