import Audio
import Commands
import DictofunDomain
import Glibc
import HubKitTesting
import SoundFile
import Storage
import TestSupport
import Testing

@testable import Dictofun
@testable import HubRuntime

/// Commands with their output, over a store in a folder that is gone with the value. Each line runs as a process of its own would.
struct DictofunHub {
    let home: TemporaryFolder
    private let environment: ProcessEnvironment

    init() throws {
        home = try TemporaryFolder()
        environment = ProcessEnvironment(
            arguments: [],
            variables: [
                "HOME": home.path, "HUB_NO_PAGER": "1", "XDG_RUNTIME_DIR": home.path + "/run", "LC_ALL": "C.UTF-8",
                "TZ": "UTC",
            ], home: home.path)
    }

    static let root = RootCommand.make([DictofunPlugin.self], width: 80) { [] }

    private func makeHub() -> Hub {
        Hub(plugins: [DictofunPlugin.self], environment: environment, log: Log(label: "test") { _, _, _ in })
    }

    /// Changes the store beside the commands.
    func write(_ body: @escaping @Sendable (borrowing Transaction) throws -> Void) async throws {
        let hub = makeHub()
        let dictofun = try hub.plugin(DictofunPlugin.self)
        try await dictofun.store.write(Operation("test", kind: .cache)) { try body($0) }
        await hub.openedDatabase?.close()
    }

    func run(
        _ line: String, console: ScriptedConsole = ScriptedConsole()
    ) async -> (output: String, messages: String, exit: Int32) {
        let (output, messages, hub) = (MemorySink(), MemorySink(), makeHub())
        let runner = CommandRunner(
            root: Self.root,
            environment: CommandRunner.Environment(
                variables: environment.variables,
                profile: TerminalProfile(
                    outputIsTerminal: true, errorIsTerminal: true, width: 100, environmentColor: false),
                output: output, messages: messages, clock: SystemClock(), zone: .utc, console: console),
            makeHost: { _ in hub })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        await hub.openedDatabase?.close()
        return (output.text, messages.text, exit)
    }
}

struct CommandTests {
    @Test func `the title and the time of a record are corrected`() async throws {
        let hub = try DictofunHub()
        let memo = hub.home.path + "/2026-11-20.wav"
        let writer = try SoundFileWriter(path: memo, format: .wav, sampleRate: 16_000)
        try writer.write([Int16](repeating: 900, count: 16_000))
        try writer.finish()
        #expect(await hub.run("dictofun import \(memo) --no-transcribe").exit == 0)
        #expect(await hub.run("dictofun show last").output.contains("2026-11-20, time unknown"))
        #expect(await hub.run("dictofun list").output.contains("2026-11-20 ?"))
        #expect(await hub.run("dictofun set last date=2026-11-21").exit == 0)
        #expect(await hub.run("dictofun show last").output.contains("2026-11-21, time unknown"))
        let corrected = await hub.run(#"dictofun set last title="Call with Ann" date=2026-03-07T08:26"#)
        #expect(corrected.output.contains("corrected"), "\(corrected)")
        #expect(await hub.run("dictofun set last date=09:30:05").exit == 0)
        let row = await hub.run("dictofun list --json=name,recorded_at,is_time_unknown").output
        #expect(row.contains("Call with Ann") && row.contains(#""2026-03-07T09:30:05""#) && row.contains("false"))
        for word in ["date=2026-13-07", "date=25:00", "date=soon", "length=3", "title"] {
            #expect(await hub.run("dictofun set last \(word)").exit == 64, "\(word)")
        }
        #expect(await hub.run("dictofun set last date=unknown").exit == 0)
        #expect(await hub.run("dictofun show last").output.contains("2026-03-07, time unknown"))
        for _ in 1...4 { #expect(await hub.run("undo").exit == 0) }
        #expect(await hub.run("dictofun show last").output.contains("2026-11-20, time unknown"))
    }

    @Test func `the commands are declared well`() {
        #expect(CommandValidator.problems(in: DictofunHub.root).filter { $0.contains("dictofun") } == [])
    }

    @Test func `a record says the name of its recorder, or the address of one that is no longer paired`() async throws {
        let hub = try DictofunHub()
        let address = "C0:DE:00:00:00:01"
        let file = try #require(FileID(text: "0000261120094100"))
        let record = Record(
            file: file, of: address, length: .seconds(1),
            fetchTime: TimeZoneRules.utc.localTime(at: Instant(milliseconds: 0)))
        let stored = StoredRecord(
            id: Identifier.make(), revision: 1, deletedAt: nil, blob: String(repeating: "ab", count: 32), size: 8000,
            format: .recorder, name: "", record: record, isRough: false)
        var outline = Waveform()
        outline.add([Int16](repeating: 9, count: 16_000))
        let bytes = outline.bytes
        try await hub.write { tx in
            try tx.insertRecord(stored)
            try tx.setOutline(bytes, of: stored.id)
            try tx.reindexRecords([stored.id])
        }
        let alone = await hub.run("dictofun show last")
        #expect(alone.output.contains("from      \(address)\n"), "\(alone)")
        let device = Device(address: address, advertisedName: "dict", alias: "desk", isPaired: true)
        try await hub.write { try $0.saveDevice(device) }
        #expect(await hub.run("dictofun show last").output.contains("from      desk\n"))
        #expect(await hub.run("dictofun show last --json=device").output.contains(address))
    }

    @Test func `a memo of a phone goes all the way`() async throws {
        let hub = try DictofunHub()
        let memo = hub.home.path + "/20261120_094100.flac"
        let writer = try SoundFileWriter(path: memo, format: .flac, sampleRate: 16_000)
        try writer.write((0..<32_000).map { Int16(8000 * sin(Double($0) / 5)) })
        try writer.finish()
        #expect(await hub.run("dictofun").messages.contains("hub dictofun import memo.ogg"))
        let imported = await hub.run("dictofun import \(memo) --no-transcribe")
        #expect(imported.exit == 0, "\(imported.messages)")
        #expect(imported.output.contains("20261120_094100  0:02"))
        #expect(await hub.run("dictofun import \(memo)").output.contains("0 new, 0 updated, 1 unchanged"))
        let list = await hub.run("dictofun list --plain=length_ms,name")
        #expect(list.output == "2000\t20261120_094100\n")
        #expect(await hub.run(#"dictofun edit last --text "Call the plumber""#).output.contains("text changed"))
        #expect(await hub.run("dictofun search plumb").exit == 0)
        #expect(await hub.run("dictofun search boiler").exit == 1)
        let shown = await hub.run("dictofun show plumber")
        #expect(shown.output.contains("recorded  2026-11-20 09:41:00") && shown.output.contains("█"))
        #expect(await hub.run("dictofun tag plumber home").exit == 0)
        #expect(await hub.run("dictofun list --tag home").output.contains("Call the plumber"))
        #expect(await hub.run("dictofun export plumber --as text").output == "Call the plumber\n")
        #expect(await hub.run("dictofun export plumber --as srt").messages.contains("provided no times"))
        let sound = await hub.run("dictofun export plumber -o \(hub.home.path)/memo.wav")
        #expect(sound.exit == 0, "\(sound.messages)")
        #expect(try SoundFileReader(path: hub.home.path + "/memo.wav").sampleCount == 32_000)
        #expect(await hub.run("search plumber").output.contains("dictofun:"))
        #expect(await hub.run("dictofun rm plumber --yes").exit == 0)
        #expect(await hub.run("undo").exit == 0)
        #expect(await hub.run("dictofun list plumber").output.contains("Call"))
        #expect(await hub.run("dictofun status").output.contains("records"))
        #expect(await hub.run("dictofun engines").output.contains("pocketsphinx"))
        #expect(await hub.run("dictofun history plumber").exit == 64)
    }

    @Test func `what an empty list suggests about the configuration works`() async throws {
        let hub = try DictofunHub()
        let words = DictofunCommand.empty.suggestions.map(\.command).filter { $0.contains("config set") }
        #expect(words.count == 1)
        for line in words {
            let set = await hub.run(String(line.dropFirst("hub ".count)))
            #expect(set.exit == 0, "\(line): \(set.messages)")
        }
    }

    @Test func `a file that is no sound is refused with a reason`() async throws {
        let hub = try DictofunHub()
        try hub.home.write("words", to: "note.ogg")
        let refused = await hub.run("dictofun import \(hub.home.path)/note.ogg")
        #expect(refused.exit == 65)
        #expect(refused.messages.contains("the sound format is not supported"))
        let missing = await hub.run("dictofun import \(hub.home.path)/none.ogg")
        #expect(missing.exit == 1 && missing.messages.contains("No such file"))
    }
}
