import Audio
package import Commands
package import DictofunDomain
import Glibc
import HubKit
import Storage

/// One file of an import.
package struct RecordImportItem: ImportedItem {
    /// The outcome.
    package let outcome: ImportOutcome
    /// The id of the record; empty in a plan for a new one.
    package let id: String
    /// The name of the file without its extension.
    package let name: String
    /// Remarks for the user.
    package let words: [String]
    /// The length of the sound; nil when the file was not read.
    package let length: Duration?
}

/// A file that could not be imported.
package struct RecordImportIssue: ImportIssue {
    /// The message, in one sentence.
    package let message: String
    /// None: each file is reported by itself.
    package var file: String? { nil }
    /// None.
    package var subject: String? { nil }
    /// 0: it is about the whole file.
    package var line: Int { 0 }
    /// 0.
    package var column: Int { 0 }
    /// None.
    package var excerptLines: [String] { [] }
}

extension DictofunPlugin {
    /// Imports the sound file at `path`, which may be called `name`. A file whose content is here already changes nothing; one that is
    /// in the trash comes back, unless `keepsTrash`.
    ///
    /// The sound takes the place of that of the record `replaced`, if that was not changed or removed since.
    ///
    /// Throws `invalid` when it is not a sound file that can be read.
    package func importFile(
        _ path: String, name: String? = nil, keepsTrash: Bool = false, replacing replaced: RecordVersion? = nil,
        operation: Operation, isDryRun: Bool = false
    ) async throws -> RecordImportItem {
        let name = name ?? path.split(separator: "/").last.map(String.init) ?? path
        if isDryRun { return try await planImport(path, name) }
        return try await store.database.discardingBlobs { kept in
            let stored = try await blobs.store(fileAt: path)
            kept = [stored.id]
            return try await stored.whileKept {
                guard stored.size > 0 else { throw Self.emptyFile }
                return try await importStored(
                    stored, from: path, name, keepsTrash: keepsTrash, replacing: replaced, operation)
            }
        }
    }

    private static var emptyFile: HubError { HubError(.invalid, code: "sound-empty", "the file is empty") }

    private func importStored(
        _ stored: StoredBlob, from path: String, _ name: String, keepsTrash: Bool, replacing replaced: RecordVersion?,
        _ operation: Operation
    ) async throws -> RecordImportItem {
        if let known = try await known(stored.id) {
            return try await importKnown(known, name, keepsTrash: keepsTrash, operation)
        }
        let format = try await sounds.format(of: blobs.path(of: stored.id), name: name)
        let sound = try await summary(of: blobs.path(of: stored.id), format)
        let title = Self.title(name)
        let (time, isTimeUnknown) = startTime(title, date: sound.date, path)
        let new = StoredRecord(
            id: Identifier.make(), revision: 1, deletedAt: nil, blob: stored.id.text, size: stored.size, format: format,
            name: title,
            record: Record(
                origin: .file(name: title), startTime: time, isTimeUnknown: isTimeUnknown, length: sound.length),
            isRough: false)
        let transcribes = config[DictofunKeys.transcribes] && (try? engines.engine()) != nil
        let other = try await store.write(operation) { tx -> (id: String, outcome: ImportOutcome)? in
            // Another process may have imported the same file meanwhile.
            if let other = try tx.record(withContent: stored.id) { return (other.id, .unchanged) }
            if let replaced, let old = try tx.record(replaced.id), old.deletedAt == nil,
                old.revision == replaced.revision
            {
                try tx.setSound(of: old.id, to: new)
                try tx.setOutline(sound.waveform.bytes, of: old.id)
                let saved = try tx.savedRecord(old.id)
                if transcribes, saved.record.needsTranscription { try transcriptions.enqueue(old.id, in: tx) }
                return (old.id, .updated)
            }
            try tx.insertRecord(new)
            try tx.setOutline(sound.waveform.bytes, of: new.id)
            try tx.reindexRecords([new.id])
            try tx.emit(DictofunEvents.recordAdded, new.summary)
            if transcribes, new.record.needsTranscription { try transcriptions.enqueue(new.id, in: tx) }
            return nil
        }
        newTranscriptions.wake()
        if let other {
            return RecordImportItem(
                outcome: other.outcome, id: other.id, name: title, words: [],
                length: other.outcome == .updated ? new.record.length : nil)
        }
        return RecordImportItem(
            outcome: .new, id: new.id, name: title, words: Self.remarks(sound), length: new.record.length)
    }

    private func planImport(_ path: String, _ name: String) async throws -> RecordImportItem {
        let title = Self.title(name)
        if let known = try await known(try await BlobStore.id(ofFileAt: path)) {
            return RecordImportItem(
                outcome: known.isTrashed ? .new : .unchanged, id: known.id, name: title,
                words: known.isTrashed ? ["from the trash"] : [], length: nil)
        }
        var status = stat()
        if FileName.withPath(path, { stat($0, &status) }) == 0, status.st_size == 0 { throw Self.emptyFile }
        let sound = try await summary(of: path, try await sounds.format(of: path, name: name))
        return RecordImportItem(
            outcome: .new, id: "", name: title, words: Self.remarks(sound), length: sound.length)
    }

    /// Reads a sound to its end. Throws `invalid` when there is nothing to hear.
    private func summary(of path: String, _ format: SoundFormat) async throws -> SoundSummary {
        let sound = try await sounds.summary(of: path, format)
        guard sound.length >= Self.shortestImport else {
            throw HubError(.invalid, code: "sound-empty", "the file holds no sound")
        }
        return sound
    }

    /// What is shorter is the beginning of a file that was never written.
    private static let shortestImport = Duration.milliseconds(10)

    private static func remarks(_ sound: SoundSummary) -> [String] {
        sound.endsEarly ? ["ends early: the file has less sound than its header says"] : []
    }

    private func importKnown(
        _ known: (id: String, isTrashed: Bool), _ name: String, keepsTrash: Bool, _ operation: Operation
    ) async throws -> RecordImportItem {
        let title = Self.title(name)
        guard known.isTrashed, !keepsTrash else {
            return RecordImportItem(outcome: .unchanged, id: known.id, name: title, words: [], length: nil)
        }
        try await records.restore([known.id], operation: operation)
        return RecordImportItem(
            outcome: .new, id: known.id, name: title, words: ["restored from the trash"], length: nil)
    }

    private func known(_ blob: BlobID) async throws -> (id: String, isTrashed: Bool)? {
        try await store.read { try $0.record(withContent: blob) }
    }

    /// The current local time.
    var localNow: LocalTime { TimeZoneRules.system.localTime(at: clock.now) }

    /// The time at which a recording began: that in the name of its file, else the date inside it, else the time of its last change.
    /// Of a day alone, the time of the last change counts where that is on the day; else the time is unknown.
    private func startTime(_ name: String, date: String?, _ path: String) -> (LocalTime, isUnknown: Bool) {
        let found = [name, date].compactMap { $0.flatMap(RecordingName.time) }
        for time in found {
            switch time {
            case .local(let time): return (time, false)
            case .moment(let moment): return (TimeZoneRules.system.localTime(at: moment), false)
            case .day: continue
            }
        }
        let change = Self.changeTime(of: path)
        if case .day(let day)? = found.first, change?.day != day { return (LocalTime(day: day), true) }
        if let change { return (change, false) }
        return (localNow, true)
    }

    /// The name of a file without its extension.
    private static func title(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The local time at which a file was last changed.
    private static func changeTime(of path: String) -> LocalTime? {
        var status = stat()
        guard FileName.withPath(path, { stat($0, &status) }) == 0 else { return nil }
        return TimeZoneRules.system.localTime(at: Instant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000))
    }
}
