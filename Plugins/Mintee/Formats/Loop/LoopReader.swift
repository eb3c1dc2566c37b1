import Archive
import CivilDate

/// Reads Loop Habit Tracker: the zip of its CSV export, or its folder. Its database is read by Store.
enum LoopReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        if let file = bundle.single {
            return file.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bundle.isDatabase
                || isListHeader(CSVTable.header(of: file)) || isMatrix(file) || !loneTables(in: bundle).isEmpty
        }
        return list(in: bundle) != nil || !loneTables(in: bundle).isEmpty
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        guard let bundle = unpacked(bundle, &found) else { return found }
        var reading = LoopReading(bundle)
        if let list = list(in: bundle) {
            reading.read(list)
        } else {
            reading.readMatrix()
            if reading.habits.isEmpty { reading.readLone(loneTables(in: bundle)) }
        }
        reading.finish()
        found.problems += reading.problems
        found.tasks = reading.habits.map { $0.task(setting) }
        return found
    }

    private static func unpacked(_ bundle: ImportBundle, _ found: inout ImportedTasks) -> ImportBundle? {
        guard let file = bundle.single, file.bytes.starts(with: [0x50, 0x4B]) else { return bundle }
        do throws(ArchiveError) {
            let limits = ArchiveLimits(fileBytes: ImportBundle.maximumLength, totalBytes: ImportBundle.maximumTotal)
            let entries = try ZipReader.read(file.bytes, limits: limits)
            return ImportBundle(bundle.name, entries.map { ImportBundle.File($0.path, $0.bytes) })
        } catch {
            found.problems.append(ImportProblem(ImportPlace(), error.words))
            return nil
        }
    }

    /// The list of habits closest to the root.
    private static func list(in bundle: ImportBundle) -> ImportBundle.File? {
        bundle.files.filter { $0.name == "Habits.csv" || bundle.files.count == 1 }
            .filter { isListHeader(CSVTable.header(of: $0)) }.min { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// Tables of the days of one habit each, without the list of habits, with the names that their folders give.
    private static func loneTables(in bundle: ImportBundle) -> [(name: String, file: ImportBundle.File)] {
        bundle.files.compactMap { file in
            guard file.name == "Checkmarks.csv", !isMatrix(file) else { return nil }
            let first = CSVTable.header(of: file)
            guard (2...3).contains(first.count), first == ["date", "value", "notes"] || CivilDate(first[0]) != nil
            else {
                return nil
            }
            // A folder is called `001 Run`.
            let folder = file.path.split(separator: "/").dropLast().last.map(String.init) ?? bundle.name
            let digits = folder.prefix { ("0"..."9").contains($0) }
            guard digits.count >= 3, folder.dropFirst(digits.count).first == " " else { return nil }
            let name = folder.dropFirst(digits.count + 1)
            return name.isBlank ? nil : (String(name), file)
        }
    }

    private static func isListHeader(_ header: [String]) -> Bool {
        header.first == "position" && header.contains("name")
            && (header.contains("frequencynumerator") || header.contains("numrepetitions"))
    }

    /// The table of all habits: `Date,Run,Read,` with a comma at the end.
    private static func isMatrix(_ file: ImportBundle.File) -> Bool {
        let header = CSVTable.header(of: file)
        return header.count >= 3 && header.first == "date" && header.last == ""
    }
}

extension ImportBundle {
    /// Whether the file is an SQLite database.
    package var isDatabase: Bool { single?.bytes.starts(with: Array("SQLite format 3\0".utf8)) ?? false }
}

extension ArchiveError {
    /// The description of the problem, in a few words.
    var words: String {
        switch self {
        case .libraryMissing(let reason): "zip files require libarchive: \(reason)"
        case .broken(let reason): "the zip file is corrupt: \(reason)"
        case .tooLarge(let limit): "the zip file contains more than \(limit >> 20) MiB"
        case .fileTooLarge(let limit): "a file in the zip file is larger than \(limit >> 20) MiB"
        case .tooManyEntries(let limit): "the zip file contains more than \(limit) entries"
        case .pathInvalid, .noMemory: "the zip file cannot be read"
        }
    }
}
