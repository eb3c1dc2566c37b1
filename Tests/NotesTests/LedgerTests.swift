import Glibc
import HTTPClient
import HubKit
import HubKitTesting
import JSON
import NetworkTestSupport
import NotesDomain
import TestSupport
import Testing

@testable import Notes

/// One note that many write at once: three machines, one of them with a mirrored folder too, and a client of NoteApp, over a
/// server that is restarted. Each types signs of its own, so what is lost or doubled is seen. `HUB_LEDGER_ROUNDS` is the
/// number of rounds.
@Suite(.timeLimit(.minutes(60)))
struct LedgerTests {
    /// The signs that one participant types, none twice.
    private struct Alphabet {
        let first: UInt32
        private(set) var count: UInt32 = 0
        private(set) var deleted: Set<Unicode.Scalar> = []

        init(_ number: Int) { first = 0x4E00 + UInt32(number) * 0x1000 }

        var typed: Set<Unicode.Scalar> { Set((0..<count).compactMap { Unicode.Scalar(first + $0) }) }

        /// Types into a text from a place on, or deletes one of the own signs.
        mutating func edit(_ text: String, from start: Int = 0, _ generator: inout SeededGenerator) -> String {
            var scalars = Array(text.unicodeScalars)
            let own = scalars.indices.filter { (first..<first + 0x1000).contains(scalars[$0].value) }
            if Int.random(in: 0..<4, using: &generator) == 0, let place = own.randomElement(using: &generator) {
                deleted.insert(scalars.remove(at: place))
            } else {
                var signs: [Unicode.Scalar] = []
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    if let sign = Unicode.Scalar(first + count) { signs.append(sign) }
                    count += 1
                }
                let end = max(start, scalars.count)
                scalars.insert(contentsOf: signs, at: Int.random(in: start...end, using: &generator))
            }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    /// A client of NoteApp, which reads at one time and writes at another.
    private struct Legacy {
        let url: String
        let http = HTTPClient(HTTPConfiguration(proxy: .none))
        var alphabet: Alphabet
        var read: JSONValue?

        private func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> JSONValue? {
            let url = try #require(HTTPURL("\(url)/api/notes\(path)"))
            var request = HTTPRequest(method, url, body: body.map { Array($0.utf8) })
            if body != nil { request.headers["Content-Type"] = "application/json" }
            guard let response = try? await http.send(request), response.isSuccess else { return nil }
            return try JSONReader.read(response.body)
        }

        mutating func get() async throws { read = try await send(.get, "")?.array?.first ?? read }

        /// Writes the text that was read with an edit; again until the server has answered.
        mutating func put(_ generator: inout SeededGenerator) async throws {
            guard let note = read, let id = note["_id"]?.string else { return }
            let access = note["access"]?.array?.compactMap(\.string) ?? []
            let content = alphabet.edit(note["content"]?.string ?? "", &generator)
            let body = NoteAppServer.body(
                note["title"]?.string ?? "", content, owner: note["owner"]?.string ?? "", access: access, id: id)
            while try await send(.put, "/\(id)", body) == nil {}
            read = nil
        }
    }

    private static var rounds: Int { getenv("HUB_LEDGER_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 12 }

    private func text(_ hub: NotesHub) async -> String {
        let output = await hub.run("notes show ledger --json=content", isTerminal: false).output
        return (try? JSONReader.read(Array(output.utf8)))?["content"]?.string ?? output
    }

    @Test func `what many type into one note stands there once`() async throws {
        var generator = SeededGenerator(seed: 11)
        let server = try NotesServer(["HUB_NOTES_SERVER_WITHOUT_ACCOUNT": "open"])
        var machines: [NotesHub] = []
        for _ in 0..<3 { machines.append(try await server.machine("ada")) }
        await machines[0].run("notes new Ledger -m start")
        for machine in machines { await machine.run("notes sync") }
        let folder = machines[0].folder + "/mirror"
        await machines[0].run("notes mirror \(folder)")
        var alphabets = (0..<4).map { Alphabet($0) }
        var legacy = Legacy(url: server.url, alphabet: Alphabet(4))
        var (edits, restarts) = (0, 0)
        for _ in 0..<Self.rounds {
            for number in machines.indices {
                var alphabet = alphabets[number]
                let seed = generator.next()
                let save: @Sendable (String) throws -> String = { [alphabet] form in
                    var (alphabet, generator) = (alphabet, SeededGenerator(seed: seed))
                    return alphabet.edit(form, from: "Ledger\n\n".count, &generator)
                }
                let console = ScriptedConsole(answers: [], saves: [save])
                let before = await text(machines[number])
                let run = await machines[number].run("notes edit ledger", console: console)
                #expect(run.exit == 0, "\(run.all)")
                var same = SeededGenerator(seed: seed)
                _ = alphabet.edit("Ledger\n\n" + before, from: "Ledger\n\n".count, &same)
                alphabets[number] = alphabet
                edits += 1
                if Bool.random(using: &generator) { await machines[number].run("notes sync") }
            }
            let path = folder + "/Ledger.md"
            let file = try String(decoding: readFile(path), as: UTF8.self)
            let start = file.unicodeScalars.count - (await text(machines[0])).unicodeScalars.count
            try write(alphabets[3].edit(file, from: max(0, start), &generator), to: path)
            edits += 1
            try await legacy.get()
            if Int.random(in: 0..<4, using: &generator) == 0 {
                await server.restart()
                restarts += 1
            }
            await machines[Int.random(in: 0..<3, using: &generator)].run("notes sync")
            try await legacy.put(&generator)
            edits += 1
        }
        for _ in 0..<3 {
            for machine in machines {
                var run = await machine.run("notes sync")
                while run.exit == 69 { run = await machine.run("notes sync") }
                #expect(run.exit == 0, "\(run.all)")
            }
        }
        let texts = [await text(machines[0]), await text(machines[1]), await text(machines[2])]
        #expect(Set(texts).count == 1)
        let signs = texts[0].unicodeScalars.filter { $0.value >= 0x4E00 }
        let all = alphabets + [legacy.alphabet]
        let typed = all.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.typed) }
        let deleted = all.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.deleted) }
        #expect(Set(signs).count == signs.count, "doubled")
        #expect(typed.subtracting(deleted).subtracting(signs).isEmpty, "lost")
        #expect(deleted.intersection(signs).isEmpty, "came back")
        print(
            "ledger: \(Self.rounds) rounds, \(edits) edits, \(restarts) restarts, \(typed.count) signs typed,",
            "\(deleted.count) deleted, \(signs.count) in the text")
    }

    private func readFile(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    private func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
