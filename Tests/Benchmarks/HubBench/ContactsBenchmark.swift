import Commands
import Contacts
import ContactsDomain
import SQLite
import Storage

/// The speed of the book of contacts inside one process, at the size of the cards given.
struct ContactsBenchmark {
    private let plugin: ContactsPlugin

    private static let rounds = HubBench.size(9)
    /// Whole words, beginnings, two words, substrings, digits, one letter, nothing, accents, a slip of the finger.
    private static let queries = [
        "lukasz", "luk", "anna kow", "an be", "owsk", "1712345", "l", "ma", "zzqx", "münchen", "lukazs",
    ]

    /// A book in `directory`, which is made when it is missing.
    init(directory: String) throws { plugin = try ContactsPlugin.benchmarked(in: directory) }

    /// Imports the cards of `file` twice, asks some questions in between, and prints what each took.
    func run(importing file: String) async throws {
        try await measureImport("import", file)
        for query in Self.queries {
            try await measure("search \(query)") { try await plugin.search(query, limit: 20).rows.count }
        }
        try await measure("query luk") { try await plugin.findAddresses("luk", .email, limit: 20).count }
        try await measure("first page") { try await plugin.contactPage().rows.count }
        try await measure("list all") { try await plugin.filter(ContactFilter()).count }
        try await measureDuplicates("duplicates", upTo: .medium)
        try await measureDuplicates("duplicates --all", upTo: .weak)
        try await measureImport("import again", file)
    }

    /// Prints a line for each block of contacts that are compared as possible duplicates: their different names, as the
    /// search index has them, sorted and separated by tabs.
    static func writeBlocks(of directory: String) async throws {
        let schema = ContactsSchema.schema { try $1.announceContacts($0) }
        let database = Database(at: .directory(directory), plugins: [schema], clock: SystemClock())
        let (buckets, names) = try await database.store(for: "contacts").read { transaction in
            let names = try transaction.rows("SELECT number, name FROM contacts_entry") { ($0.int(0), $0.blob(1)) }
            return (try transaction.duplicateBuckets(), Dictionary(uniqueKeysWithValues: names))
        }
        for bucket in buckets {
            let block = Set(
                bucket.compactMap {
                    names[$0]?.split(separator: 0x0A).first.map { String(decoding: $0, as: UTF8.self) }
                })
            HubBench.write(block.sorted().joined(separator: "\t") + "\n")
        }
    }

    private func measureImport(_ name: String, _ file: String) async throws {
        let chunks = try await ChunkedFileReader(path: file)
        let start = ContinuousClock.now
        let report = try await plugin.importCards(
            ImportSource(file) { try await chunks.next() }, operation: Operation("contacts import"))
        let time = ContinuousClock.now - start
        HubBench.write("\(name)\t\(time)\t\(Int(Double(report.total) / (time / .seconds(1)))) cards/s\n")
    }

    private func measureDuplicates(_ name: String, upTo tier: DuplicateTier) async throws {
        let start = ContinuousClock.now
        let groups = try await plugin.findDuplicates(upTo: tier)
        HubBench.write("\(name)\t\(ContinuousClock.now - start)\t\(groups.count) groups\n")
    }

    /// Prints the median time of `body` and how many rows it answers.
    private func measure(_ name: String, _ body: () async throws -> Int) async throws {
        var times: [Duration] = []
        var count = 0
        for _ in 0..<Self.rounds {
            let start = ContinuousClock.now
            count = try await body()
            times.append(ContinuousClock.now - start)
        }
        HubBench.write("\(name)\t\(times.sorted()[Self.rounds / 2])\t\(count) rows\n")
    }
}
