import CivilDate
import MinteeDomain
import TestSupport
import Testing

/// No input crashes a reader, and what comes out keeps the rules.
struct HostileImportTests {
    private static let samples: [[(String, [UInt8])]] = [
        [("habits", PackageResources.harsh_habits_txt), ("log", PackageResources.harsh_log_txt)],
        [("habits", PackageResources.habitctl_habits_txt), ("log", PackageResources.habitctl_log_txt)],
        LoopReaderTests.files, [("m.csv", PackageResources.loop_matrix_csv)],
        [("t.json", PackageResources.taskwarrior_json)], [("h.csv", PackageResources.habitica_history_csv)],
        [("u.json", PackageResources.habitica_userdata_json)], [("b.csv", PackageResources.habitbull_csv)],
        [
            (
                "s.csv",
                Array(
                    "task_id,title,entry_type,entry_date,quantity,notes\nA,Run,completed_manually,20261001,0,x\n".utf8)
            )
        ],
    ]

    private static let splinters = ["\"", "\n", "-", "9999999999", "{", "]", ",", ":", "\\"].map { Array($0.utf8) }

    private func mutated(_ bytes: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: Self.splinters[Int.random(in: 0..<9, using: &generator)], at: place)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 0..<200, using: &generator))
                bytes += bytes[place..<end]
            default:
                let end = min(bytes.count, place + Int.random(in: 0..<60, using: &generator))
                bytes.removeSubrange(place..<end)
            }
        }
        return bytes
    }

    /// Each is read in its own format, and in one of the others.
    @Test(.seeded, arguments: samples.indices)
    func `no mutation crashes, and what comes out keeps the rules`(index: Int) throws {
        var generator = SeededGenerator(seed: UInt64(index + 1))
        let own = try #require(TaskImportFormat(sniffing: Importing.bundle(Self.samples[index])))
        let others = TaskImportFormat.allCases.filter { $0 != own }
        for round in 0..<300 {
            let bundle = Importing.bundle(Self.samples[index].map { ($0.0, mutated($0.1, by: &generator)) })
            _ = TaskImportFormat(sniffing: bundle)
            for format in [own, others[round % others.count]] {
                let found = Importing.read(bundle, as: format)
                for task in found.tasks {
                    #expect(task.draft.violations.isEmpty)
                    #expect(task.entries.keys.allSatisfy { task.draft.isDue(on: $0) })
                }
                #expect(Set(found.tasks.map(\.draft.name)).count == found.tasks.count)
            }
        }
    }

    @Test func `far days, huge numbers and long texts are bounded`() throws {
        let log = """
            0001-01-01\tOld\ty
            9999-12-31\tOld\ty
            2026-10-01\tOld\ty
            2026-10-01\t\(String(repeating: "n", count: 5000))\ty
            """
        let found = try Importing.read(("log", Array(log.utf8)))
        #expect(try found.task("Old").due == "daily 2026-10-01..2026-10-01")
        #expect(try found.task("Old").losses.last == "2 days (0001-01-01, …) before 1900 or after 2199 left out")
        #expect(found.tasks.map(\.draft.name.count) == [3, 200])
    }

    @Test(.timeLimit(.minutes(20)))
    func `a file of opened brackets or quotes takes no time worth a word`() throws {
        let bundle = Importing.bundle([("x.json", Array(String(repeating: "{\n", count: 20_000).utf8))])
        #expect(TaskImportFormat(sniffing: bundle) == nil)
        #expect(Importing.read(bundle, as: .taskwarrior).problems.count == 100)
        let quotes = Importing.bundle([("x.csv", Array(String(repeating: "\"a,b\n", count: 20_000).utf8))])
        #expect(Importing.read(quotes, as: .habitbull).tasks.isEmpty)
        let deep = Array((String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)).utf8)
        #expect(Importing.read(Importing.bundle([("x.json", deep)]), as: .taskwarrior).tasks.isEmpty)
    }
}
