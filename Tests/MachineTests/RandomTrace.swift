import FoundationEssentials
import HubKit
import Storage

/// What each machine of a random test has after each step, as far as it has changed: written to the file that `HUB_TRACE` names.
@MainActor
final class RandomTrace {
    private let path = ProcessInfo.processInfo.environment["HUB_TRACE"]
    private var known: [String: Set<String>] = [:]
    private var text = ""

    /// Adds what has changed since the last step.
    func note(_ step: Int, _ log: ArraySlice<String>, _ machines: [Machine]) async throws {
        guard let path else { return }
        text += "== \(step)\n" + log.map { "   \($0)\n" }.joined()
        for machine in machines {
            let lines = try await Self.lines(of: machine)
            let before = known[machine.name] ?? []
            text += before.subtracting(lines).sorted().map { "\(step) \(machine.name) - \($0)\n" }.joined()
            text += lines.subtracting(before).sorted().map { "\(step) \(machine.name) + \($0)\n" }.joined()
            known[machine.name] = lines
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private static func lines(of machine: Machine) async throws -> Set<String> {
        var lines = try await machine.values(
            """
            SELECT 'contact ' || id || ' trash ' || (deleted_at IS NOT NULL) || ' rev ' || revision || ' in ' || ifnull(book, '-') || ' | ' || CAST(card AS TEXT)
            FROM contacts_contact
            """, of: "contacts"
        ).map { $0.replacing("\r\n ", with: "").replacing("\r\n", with: " ; ") }
        lines += try await machine.values(
            "SELECT 'task ' || id || ' trash ' || (deleted_at IS NOT NULL) || ' ' || name FROM mintee_task",
            of: "mintee")
        lines += try await machine.values(
            """
            SELECT 'day ' || task || ' ' || day || ' ' || completion || ' ' || entered || ' ' || ifnull(skip, '-') || ' '
                || ifnull(note, '-') || ' ' || changed_at FROM mintee_instance
            """, of: "mintee")
        lines += try await machine.notes().map { "note \($0)" }
        lines += try await machine.values(
            """
            SELECT 'base ' || server || ' ' || note || ' ' || remote || ' ' || state || ' trash ' || in_trash || ' ' || ifnull(changed_at, '-')
                || ' ' || content_version || ' tags ' || tags FROM notes_machine_note
            """, of: "notes")
        lines += try await machine.held().map {
            "held \($0.id) \($0.kind) \($0.name) open \($0.isOpen) \($0.reason) \(String(decoding: $0.content ?? [], as: UTF8.self))"
        }
        return Set(lines)
    }
}
