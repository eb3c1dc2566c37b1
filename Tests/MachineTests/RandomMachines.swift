import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// Machines and phones that change at random, each step one change or one exchange.
@MainActor
final class RandomMachines {
    private let seed: UInt64
    private var random: SeededGenerator
    private(set) var machines: [Machine] = []
    private var phones: [Phone] = []
    private(set) var ledger = RandomLedger()
    private var step = 0
    /// The commands of all steps.
    private var log: [String] = []
    /// The step at which the files of the third machine were kept.
    private var savedAt: Int?
    private let trace = RandomTrace()

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        machines = [try Machine("desk"), try Machine("laptop"), try Machine("tablet")]
        for machine in machines { try await machine.run("config set plugins.dictofun.transcribe false") }
        for spoke in machines.dropFirst() { try await spoke.join(desk) }
        machines[1].test.clock.advance(by: .seconds(3 * 365 * 86_400))
        let card = desk.test.home + "/kept.vcf"
        try "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:kept\r\nFN:Kept\r\nX-KEEP:value\r\nEND:VCARD\r\n".write(
            toFile: card, atomically: true, encoding: .utf8)
        try await desk.run("contacts import \(card)")
        phones = [
            try await Phone("plain", of: desk, dropsUnknownLines: true, sendsConditions: true),
            try await Phone("blunt", of: desk, dropsUnknownLines: false, sendsConditions: false),
        ]
    }

    var desk: Machine { machines[0] }
    /// The machines that have joined the first one.
    var spokes: [Machine] { Array(machines.dropFirst()) }

    /// Exchanges of a spoke are those of the device under whose name it was joined: a copy has that of its original.
    func sync(_ spoke: Machine, losing losses: Losses = Losses()) async throws -> MachineReport {
        try await spoke.sync(desk, as: spoke.name == "copy" ? "tablet" : spoke.name, losing: losses)
    }

    // MARK: Steps

    /// Makes one random change, or exchanges once.
    func next() async throws {
        step += 1
        let start = log.count
        do {
            try await change()
            try await trace.note(step, log[start...], machines)
        } catch let error as HubError {
            throw HubError(
                .internal, code: "test", "step \(step): \(error.message): \(error.details.joined(separator: ", "))")
        }
    }

    /// Adds what the machines have after the last exchanges to the trace.
    func traceEnd() async throws { try await trace.note(step + 1, [], machines) }

    /// The steps that have made what problems are about, in words.
    func steps(of problems: [String]) -> [String] {
        let words = problems.flatMap { RandomLedger.counts($0).keys }
        return log.indices.filter { index in words.contains { log[index].contains($0) } }
            .flatMap { log[$0..<min($0 + 4, log.count)] }
    }

    private func change() async throws {
        let word = "w\(seed)x\(step)z"
        let number = draw(machines.count)
        switch draw(32) {
        case 0: try await make("contacts new \(word)", word, number)
        case 1: try await set(.contact, "contacts set ID note=WORD", word, number, place: "note of the contact")
        case 2, 3: try await remove(number)
        case 4: try await make("mintee new \(word)", word, number)
        case 5: try await enter(number)
        case 6, 7: try await make("notes new N\(step) -m \(word)", word, number)
        case 8, 9: try await append(word, number)
        case 10:
            if let id = try await pick(.note, number) { try await machines[number].run("notes tag \(id) t\(step % 5)") }
        case 11: try await makeRecord(word, number)
        case 12: try await set(.record, "dictofun set ID title=WORD", word, number, place: "title of the record")
        case 13:
            if let id = try await pick(.record, number) {
                try await machines[number].run("dictofun tag \(id) t\(step % 5)")
            }
        case 14: try await transcribe(word, number)
        case 15: try await trade(word, number)
        case 16: try await annotateTrade(word, number)
        case 17: try await watch(word, number)
        case 18: try await alert(word, number)
        case 19: try await phone(word)
        case 20: try await undo(number)
        case 21 where step % 3 == 0: try await emptyTrash(number)
        case 22 where savedAt == nil && step > 5:
            savedAt = step
            log.append("step \(step), machine 2: its files are kept")
            try machines[2].save(to: machines[2].test.home + "/saved")
        case 23 where machines.count == 3 && step > 12: try copy()
        case 24: try await book(word, number)
        case 25: try await changeBook(word, number)
        default: try await exchange()
        }
    }

    private func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Kinds of things, with the rows of those that are not in the trash.
    private enum Kind: String, CaseIterable {
        case contact = "contacts_contact", task = "mintee_task", note = "notes_note", record = "dictofun_record",
            trade = "market_trade"

        var owner: String { String(rawValue.prefix { $0 != "_" }) }

        /// What a thing keeps from the step in which it was made, for ids are other ones in each run.
        var label: String {
            switch self {
            case .contact: "substr(CAST(card AS TEXT), instr(CAST(card AS TEXT), 'FN:'))"
            case .task: "name"
            case .note: "(SELECT title FROM notes_text WHERE note = id)"
            case .record: "(SELECT max(name) FROM dictofun_tag WHERE record = id)"
            case .trade: "token"
            }
        }
    }

    private func pick(_ kind: Kind, _ number: Int) async throws -> String? {
        let all = try await machines[number].values(
            "SELECT id FROM \(kind.rawValue) WHERE deleted_at IS NULL ORDER BY created_at, \(kind.label), id",
            of: kind.owner)
        return all.isEmpty ? nil : all[draw(all.count)]
    }

    /// Runs a command, which is killed now and then.
    /// - Returns: whether it ended as it should.
    private func run(_ line: String, on number: Int) async throws -> Bool {
        log.append("step \(step), machine \(number): \(line)")
        guard draw(15) == 0 else {
            try await machines[number].run(line)
            return true
        }
        let writes = draw(12)
        StoreKill.arm(machines[number].data, after: writes)
        let run = await machines[number].test.run(line)
        let isKilled = StoreKill.disarm(machines[number].data)
        if isKilled { log.append("step \(step), machine \(number): killed after \(writes) writes") }
        if !isKilled, run.exit != 0 { throw HubError(.internal, code: "test", "hub \(line): \(run.all)") }
        return !isKilled
    }

    private func make(_ line: String, _ word: String, _ number: Int) async throws {
        ledger.make(word, on: number, at: step, isSure: try await run(line, on: number))
    }

    private func set(_ kind: Kind, _ line: String, _ word: String, _ number: Int, place: String) async throws {
        guard let id = try await pick(kind, number) else { return }
        let line = line.replacing("ID", with: id).replacing("WORD", with: word)
        ledger.set("\(place) \(id)", to: word, on: number, at: step, isSure: try await run(line, on: number))
    }

    private func append(_ word: String, _ number: Int) async throws {
        guard let id = try await pick(.note, number) else { return }
        try await make("notes append \(id) ' \(word)'", word, number)
    }

    private func remove(_ number: Int) async throws {
        let kind = Kind.allCases[draw(4)]
        guard let id = try await pick(kind, number) else { return }
        let before = try await words(machines[number], isLive: true)
        log.append("step \(step), machine \(number): \(kind.owner) rm \(id)")
        try await machines[number].run("\(kind.owner) rm --yes \(id)")
        ledger.trash(lost(before, try await words(machines[number], isLive: true)))
    }

    private func enter(_ number: Int) async throws {
        // A machine whose clock is years behind may not enter a value yet.
        if let id = try await pick(.task, number) {
            log.append("step \(step), machine \(number): mintee set \(id) \(step)")
            _ = try? await machines[number].run("mintee set \(id) \(step)")
        }
    }

    private func makeRecord(_ word: String, _ number: Int) async throws {
        let path = machines[number].test.home + "/\(word).wav"
        try Data(Self.sound(step)).write(to: URL(filePath: path))
        _ = try await run("dictofun import \(path)", on: number)
        try await markRecord(word, number)
    }

    /// Marks the record that was imported as `word`, if it was, for its name may be changed.
    private func markRecord(_ word: String, _ number: Int) async throws {
        let found = try await machines[number].values(
            "SELECT id FROM dictofun_record WHERE name = '\(word)'", of: "dictofun")
        guard let id = found.first else { return }
        try await machines[number].run("dictofun tag \(id) \(word)")
        ledger.make(word, on: number, at: step, isSure: true)
    }

    private func transcribe(_ word: String, _ number: Int) async throws {
        guard let id = try await pick(.record, number) else { return }
        log.append("step \(step), machine \(number): transcribe \(id) \(word)")
        try await machines[number].with { database in
            try await database.store(for: "dictofun").write(Operation("test")) { transaction in
                try transaction.run("INSERT OR REPLACE INTO dictofun_transcript VALUES (?, ?, 0, 1, '{}')", id, word)
                // History does not record the table.
                try transaction.noteDocuments(of: [id])
            }
        }
        ledger.set("transcript \(id)", to: word, on: number, at: step, isSure: true)
    }

    private func trade(_ word: String, _ number: Int) async throws {
        try await machines[number].change(
            "market",
            """
            INSERT INTO market_trade (id, token, kind, amount, price, fee, currency, day, note, revision, created_at, changed_at)
            VALUES ('\(Identifier.make())', 'coingecko:\(word)', 'buy', '0.\(step)', '91204.10', '0', 'usd', '2026-01-03', '', 1, \(step), 1)
            """)
        ledger.make(word, on: number, at: step, isSure: true)
    }

    private func annotateTrade(_ word: String, _ number: Int) async throws {
        guard let id = try await pick(.trade, number) else { return }
        try await machines[number].change(
            "market", "UPDATE market_trade SET note = '\(word)', revision = revision + 1 WHERE id = '\(id)'")
        ledger.set("note of the trade \(id)", to: word, on: number, at: step, isSure: true)
    }

    private func watch(_ word: String, _ number: Int) async throws {
        let list = step.isMultiple(of: 2) ? "main" : "defi"
        try await machines[number].change(
            "market",
            """
            INSERT INTO market_watch SELECT '\(list)', 'coingecko:\(word)', coalesce(max(position) + 1, 0) FROM market_watch
            WHERE list = '\(list)'
            """)
        ledger.make(word, on: number, at: step, isSure: true)
    }

    private func alert(_ word: String, _ number: Int) async throws {
        try await machines[number].change(
            "market",
            """
            INSERT INTO market_alert VALUES ('\(Identifier.make())', 'coingecko:\(word)', '> \(step)', 'usd', 1, NULL, 1, 1, 1, NULL)
            """)
        ledger.make(word, on: number, at: step, isSure: true)
    }

    /// Makes a book, and moves a contact into it.
    private func book(_ word: String, _ number: Int) async throws {
        guard let id = try await pick(.contact, number) else { return }
        let isMade = try await run("contacts books new here/\(word)", on: number)
        ledger.make(word, on: number, at: step, isSure: isMade)
        guard isMade else { return }
        let isMoved = try await run("contacts move \(id) here/\(word)", on: number)
        ledger.set("book of the contact \(id)", to: word, on: number, at: step, isSure: isMoved)
    }

    /// Renames a book or removes one.
    private func changeBook(_ word: String, _ number: Int) async throws {
        let all = try await machines[number].values(
            "SELECT id FROM contacts_local_book ORDER BY created_at, id", of: "contacts")
        if all.isEmpty { return }
        let id = all[draw(all.count)]
        guard draw(3) == 0 else {
            log.append("step \(step), machine \(number): \(id) is renamed \(word)")
            try await machines[number].change(
                "contacts", "UPDATE contacts_local_book SET name = '\(word)' WHERE id = '\(id)'")
            return ledger.set("name of the book \(id)", to: word, on: number, at: step, isSure: true)
        }
        let before = try await words(machines[number], isLive: false)
        let name = try await machines[number].values(
            "SELECT name FROM contacts_local_book WHERE id = '\(id)'", of: "contacts")[0]
        log.append("step \(step), machine \(number): contacts books rm \(id)")
        try await machines[number].run("contacts books rm here/\(name) --yes")
        ledger.remove(lost(before, try await words(machines[number], isLive: false)))
    }

    /// Lets a phone change something of the first machine.
    private func phone(_ word: String) async throws {
        let phone = phones[draw(2)]
        switch draw(3) {
        case 0:
            if let id = try await pick(.contact, 0), try await phone.setNote(word, of: id) {
                log.append("step \(step), phone \(phone.name): note of the contact \(id): \(word)")
                ledger.set("note of the contact \(id)", to: word, on: 0, at: step, isSure: true)
            }
        case 1 where phone.dropsUnknownLines:
            if let id = try await pick(.task, 0), try await phone.setNote(word, of: id, on: "2026-11-20") {
                log.append("step \(step), phone \(phone.name): note of the day of \(id): \(word)")
                ledger.set("note of the day of \(id)", to: word, on: 0, at: step, isSure: true)
            }
        case 1:
            guard let id = try await pick(.note, 0) else { return }
            let title = try await desk.values("SELECT title FROM notes_text WHERE note = '\(id)'", of: "notes")[0]
            log.append("step \(step), phone \(phone.name): appends to \(id): \(word)")
            if try await phone.append(word, to: title) { ledger.make(word, on: 0, at: step, isSure: true) }
        default:
            log.append("step \(step), phone \(phone.name): uploads \(word)")
            try await phone.upload(Self.sound(step), as: word + ".wav")
            try await markRecord(word, 0)
        }
    }

    private func undo(_ number: Int) async throws {
        let before = try await words(machines[number], isLive: false)
        log.append("step \(step), machine \(number): undo")
        // What others have changed since cannot be undone.
        _ = await machines[number].test.run("undo")
        ledger.lose(lost(before, try await words(machines[number], isLive: false)))
    }

    private func emptyTrash(_ number: Int) async throws {
        log.append("step \(step), machine \(number): trash empty")
        _ = await machines[number].test.run("trash empty --yes")
        ledger.emptyTrash()
    }

    /// The third machine is copied, and both go on.
    private func copy() throws {
        log.append("step \(step), machine 2: is copied")
        let copy = try Machine("copy")
        try FileManager.default.createDirectory(
            atPath: copy.test.home + "/.local/share", withIntermediateDirectories: true)
        try machines[2].save(to: copy.data)
        machines.append(copy)
    }

    /// Exchanges once, with whatever may get lost.
    private func exchange() async throws {
        let number = 1 + draw(machines.count - 1)
        var losses = Losses()
        if draw(3) == 0 { losses.answers = [draw(6)] }
        if draw(3) == 0 { losses.requests = [draw(6)] }
        if draw(4) == 0 { losses.cancels = [draw(6)] }
        if draw(3) == 0 { losses.frames = draw(9) }
        var killed: Machine?
        if draw(3) == 0 {
            let machine = draw(2) == 0 ? desk : machines[number]
            StoreKill.arm(machine.data, after: draw(60))
            killed = machine
        }
        let spoke = machines[number]
        let run = Task { [losses] in try await sync(spoke, losing: losses) }
        let result = await run.result
        let isKilled = killed.map { StoreKill.disarm($0.data) } ?? false
        let end = if case .failure(let error) = result { "\(error)" } else { "done" }
        log.append(
            "step \(step), machine \(number): exchange, killed \(isKilled ? killed?.name ?? "" : "none"), \(losses): \(end)"
        )
        if case .success = result, !isKilled { ledger.exchange(number, at: step) }
        if let saved = savedAt, step > saved + 8, number == 2 {
            savedAt = nil
            log.append("step \(step), machine 2: is set back to step \(saved)")
            try machines[2].setBack(to: machines[2].test.home + "/saved")
            ledger.setBack(2, to: saved)
        }
    }

    // MARK: What is there

    /// A tenth of a second of sound, another one for each number.
    static func sound(_ number: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let samples = (0..<800).flatMap { little(($0 * (number + 7)) % 20_000, 2) }
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
            + Array("data".utf8) + little(samples.count, 4) + samples
    }

    /// What was made on a machine: a word for each thing.
    func things(_ machine: Machine, isLive: Bool = false) async throws -> String {
        let rest = isLive ? " WHERE deleted_at IS NULL" : ""
        let cards = try await machine.values("SELECT CAST(card AS TEXT) FROM contacts_contact\(rest)", of: "contacts")
        var all = cards.compactMap { $0.split(separator: "\r\n").first { $0.hasPrefix("FN:") }.map(String.init) }
        all += try await machine.values("SELECT id FROM contacts_local_book", of: "contacts")
        all += try await machine.values("SELECT name FROM mintee_task\(rest)", of: "mintee")
        all += try await machine.values(
            "SELECT content FROM notes_text WHERE note IN (SELECT id FROM notes_note\(rest))", of: "notes")
        all += try await machine.values(
            "SELECT name FROM dictofun_tag WHERE record IN (SELECT id FROM dictofun_record\(rest))", of: "dictofun")
        for table in ["watch", "trade", "alert"] {
            all += try await machine.values(
                "SELECT token FROM market_\(table)\(table == "watch" ? "" : rest)", of: "market")
        }
        return all.joined(separator: "\n")
    }

    /// The values that were set on a machine.
    func values(_ machine: Machine, isLive: Bool = false) async throws -> String {
        let rest = isLive ? " WHERE deleted_at IS NULL" : ""
        let cards = try await machine.values("SELECT CAST(card AS TEXT) FROM contacts_contact\(rest)", of: "contacts")
        var all = cards.map { $0.replacing("\r\n ", with: "") }
        all += try await machine.values("SELECT ifnull(book, '') FROM contacts_contact\(rest)", of: "contacts")
        all += try await machine.values("SELECT name FROM contacts_local_book", of: "contacts")
        all += try await machine.values(
            "SELECT ifnull(note, '') FROM mintee_instance WHERE task IN (SELECT id FROM mintee_task\(rest))",
            of: "mintee")
        all += try await machine.values("SELECT name FROM dictofun_record\(rest)", of: "dictofun")
        all += try await machine.values(
            "SELECT engine FROM dictofun_transcript WHERE record IN (SELECT id FROM dictofun_record\(rest))",
            of: "dictofun")
        all += try await machine.values("SELECT note FROM market_trade\(rest)", of: "market")
        return all.joined(separator: "\n")
    }

    /// The words of things and of values, each with a letter before it: the name that a record was imported with is both.
    private func words(_ machine: Machine, isLive: Bool) async throws -> Set<String> {
        let things = RandomLedger.counts(try await things(machine, isLive: isLive)).keys.map { "t" + $0 }
        let values = RandomLedger.counts(try await values(machine, isLive: isLive)).keys.map { "v" + $0 }
        return Set(things + values)
    }

    /// The words that are no longer there.
    private func lost(_ before: Set<String>, _ after: Set<String>) -> Set<String> {
        Set(before.subtracting(after).map { String($0.dropFirst()) })
    }

    /// What the machines tell of values that others have replaced.
    func replaced() async throws -> String {
        var all = ""
        for spoke in spokes {
            for held in try await spoke.held() {
                all += held.reason + String(decoding: held.content ?? [], as: UTF8.self) + "\n"
            }
        }
        return all
    }
}
