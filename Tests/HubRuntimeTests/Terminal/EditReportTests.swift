import Commands
import Contacts
import Glibc
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing

@testable import HubRuntime

/// The report of a change: how to undo it, what is said when nothing changed, and when it cannot be written.
struct EditReportTests {
    @Test func `the line that says what changed is completed by how to undo it`() {
        let edit = Output.edited("Ada is new")
        #expect(lines(edit.completed(isRecorded: true)) == ["Ada is new. Undo: hub undo"])
        #expect(lines(edit.completed(isRecorded: false)) == ["Nothing changed"])
        let several = Output.text(["Restored: Ada", "  her book is read-only"]).asEdit(.first)
        #expect(
            lines(several.completed(isRecorded: true)) == [
                "Restored: Ada. Undo: hub undo", "  her book is read-only",
            ])
        #expect(lines(Output.edited("2 of 3 today.").completed(isRecorded: true)) == ["2 of 3 today. Undo: hub undo"])
        #expect(lines(Output.done("Cancelled").completed(isRecorded: false)) == ["Cancelled"])
    }

    private func lines(_ output: Output) -> [String] {
        if case .text(let lines) = output.body { lines } else { [] }
    }

    /// A stdout that the system refuses to write to.
    private struct RefusingSink: ByteSink {
        let error: SinkError

        func write(_ bytes: [UInt8]) throws(SinkError) { throw error }
    }

    private func run(_ arguments: [String], in hub: TestHub, output error: SinkError) async -> TestHub.Run {
        let messages = MemorySink()
        let host = hub.hub()
        let runner = CommandRunner(
            root: hub.root,
            environment: CommandRunner.Environment(
                variables: hub.environment.variables, profile: TerminalProfile(), output: RefusingSink(error: error),
                messages: messages, clock: hub.clock, zone: .utc, console: ScriptedConsole()),
            makeHost: { _ in host })
        let exit = await runner.run(arguments)
        await host.openedDatabase?.close()
        return TestHub.Run(output: "", messages: messages.text, exit: exit)
    }

    @Test(
        arguments: [ENOSPC, EBADF, EIO],
        [["contacts", "new", "Ada"], ["undo"], ["config", "set", "hub.region", "PL"]])
    func `a change whose report cannot be written is reported as made, and not for another try`(
        number: Int32, line: [String]
    ) async throws {
        let hub = try TestHub(ContactsPlugin.self)
        await hub.run("contacts new Grace")
        let run = await run(line, in: hub, output: .system(number))
        #expect(run.exit == 74)
        #expect(run.messages.hasPrefix("error: the change was made, but its report could not be written\n"))
        #expect(run.messages.contains("hub undo ") == (line[0] != "config"))
        if line[0] == "contacts" {
            let id = try #require(run.messages.split(separator: " ").last?.split(separator: "\n").first)
            #expect(await hub.run("undo \(id)").exit == 0)
            #expect(await hub.run("contacts list --plain=name").output == "Grace\n")
        }
    }

    @Test func `nothing is claimed of a change that was not made`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        #expect(await run(["contacts", "new", "Ada", "-n"], in: hub, output: .system(ENOSPC)).exit == 75)
        #expect(await run(["contacts", "list", "--json"], in: hub, output: .system(EBADF)).exit == 74)
        #expect(await run(["contacts", "new", "Ada"], in: hub, output: .closed).exit == 141)
    }
}
