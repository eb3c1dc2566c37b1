import CivilDate
import MinteeDomain
import Testing

/// Reads samples as an import does, on Friday, 20 November 2026, two hours east of Greenwich.
enum Importing {
    static let today = CivilDate(year: 2026, month: 11, day: 20) ?? CivilDate(daysSinceEpoch: 0)

    static let setting = ImportSetting(today: today) { milliseconds in
        CivilDate(daysSinceEpoch: Int(((Double(milliseconds) + 7_200_000) / 86_400_000).rounded(.down)))
    }

    static func bundle(_ files: [(String, [UInt8])]) -> ImportBundle {
        ImportBundle("sample", files.map { ImportBundle.File($0.0, $0.1) })
    }

    /// Reads the files in their detected format.
    static func read(_ files: (String, [UInt8])...) throws -> ImportedTasks {
        let bundle = bundle(files)
        return read(bundle, as: try #require(TaskImportFormat(sniffing: bundle)))
    }

    static func read(_ bundle: ImportBundle, as format: TaskImportFormat) -> ImportedTasks {
        var found = format.read(bundle, setting)
        found.applyRules()
        return found
    }
}

extension ImportedTasks {
    /// The task called `name`.
    func task(_ name: String) throws -> ImportedTask { try #require(tasks.first { $0.draft.name == name }, "\(name)") }

    /// The problems in short: `3 Run: "x" is not y, n or s`.
    var told: [String] {
        problems.map { "\($0.place.line) \($0.subject.map { "\($0): " } ?? "")\($0.message)" }
    }
}

extension ImportedTask {
    /// The entries in short: `10-01 1`, `10-02 skip "ill"`, `10-03 0 note`.
    var days: [String] {
        entries.sorted { $0.key < $1.key }.map { day, entry in
            let value =
                entry.skipReason.map { $0.isEmpty ? "skip" : "skip \"\($0)\"" } ?? NumberText.text(entry.completion)
            return "\(day.description.dropFirst(5)) \(value)\(entry.note.map { " \($0)" } ?? "")"
        }
    }

    /// The schedule: `daily 2026-10-01..open`.
    var due: String {
        switch draft.schedule {
        case .recurring(let start, let end, let sets):
            "\(sets.map(\.description).joined(separator: "; ")) \(start)..\(draft.hasOpenEnd ? "open" : end.description)"
        case .specific(let dates): dates.map(\.description).joined(separator: " ")
        }
    }
}

extension [UInt8] {
    /// The same text with other line ends and a byte order mark.
    func dressed(lineEnd: String, mark: Bool) -> [UInt8] {
        let text = String(decoding: self, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\n", with: lineEnd)
        return (mark ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
    }

    /// The same text in UTF-16 with a byte order mark.
    var utf16: [UInt8] {
        [0xFF, 0xFE] + String(decoding: self, as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
}
