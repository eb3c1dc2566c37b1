import JSON
import Testing

/// The content of the store, as programs read it.
extension Sandbox {
    /// A command that was recorded.
    struct OperationRow: Sendable {
        let id: String
        let name: String
        let command: String
        let state: String
    }

    /// Returns the JSON output of `hub` for these words and `--json`.
    func json(_ arguments: String...) async throws -> JSONValue {
        let finished = try await run(arguments + ["--json"])
        try #require(finished.code == 0, "\(finished.all)")
        return try JSONReader.read(Array(finished.output.utf8))
    }

    /// The contacts, by name.
    func contacts(_ options: String...) async throws -> [(id: String, name: String)] {
        let finished = try await runInProcess(["contacts", "list", "--json=id,name"] + options)
        try #require(finished.code == 0, "\(finished.all)")
        return try JSONReader.read(Array(finished.output.utf8)).rows.map { row in
            (try #require(row["id"]?.string), try #require(row["name"]?.string))
        }
    }

    /// Returns all operations, the newest first.
    func operations() async throws -> [OperationRow] {
        let finished = try await runInProcess("history", "--limit", "100000", "--json")
        try #require(finished.code == 0, "\(finished.all)")
        return try JSONReader.read(Array(finished.output.utf8)).rows.map { row in
            OperationRow(
                id: try #require(row["id"]?.string), name: try #require(row["name"]?.string),
                command: try #require(row["command"]?.string), state: try #require(row["state"]?.string))
        }
    }

    /// Returns the screen of a terminal with uniform ids and ages: a contact's id becomes the first three letters of
    /// its name, an operation's the last word of its own.
    func alike(_ session: Terminal.Session) async throws -> String {
        var names: [String: String] = [:]
        for contact in try await contacts() + contacts("--trash") {
            names[contact.id] = String(contact.name.lowercased().map { $0 == "ł" ? "l" : $0 }.prefix(3))
        }
        for operation in try await operations() {
            names[operation.id] = operation.name.split(separator: " ").last.map(String.init)
        }
        return session.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Alike.line(String($0), names) }.joined(separator: "\n")
    }
}

extension JSONValue {
    /// The elements of an array; none for anything else.
    var rows: [JSONValue] { array ?? [] }
}
