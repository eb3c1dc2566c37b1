import HubKit
import Sync

/// The documents of a plugin, and beside them the files that programs keep there: copies of editors, lists of their folders, and
/// folders in which there is no document yet.
struct DocumentFolder: ServedFolder {
    private let documents: any ServedDocuments
    private let rest: KeptFiles

    init(_ documents: any ServedDocuments, beside rest: KeptFiles) {
        self.documents = documents
        self.rest = rest
    }

    var merges: Bool { documents.merges }
    var keepsProperties: Bool { false }

    func state() async throws -> ServedState {
        let (first, second) = (try await documents.state(), try await rest.state())
        return ServedState(epoch: first.epoch, number: first.number + second.number)
    }

    func file(at path: [String]) async throws -> ServedFile? {
        if let found = try await document(at: path) { return found }
        if let found = try await rest.file(at: path) { return found }
        return try await documents.hasDocuments(in: path) ? Self.folder(path.last ?? "") : nil
    }

    /// The document at a path. A file that a program keeps is not hidden by one that is made from another.
    private func document(at path: [String]) async throws -> ServedFile? {
        guard !path.isEmpty, let found = try await documents.document(at: path) else { return nil }
        if found.isDerived, try await rest.file(at: path) != nil { return nil }
        return found
    }

    private static let isDerived = ServedFileResult.forbidden("this file is made from another one")

    private static func folder(_ name: String) -> ServedFile {
        ServedFile(name, id: "folder", isFolder: true, etag: "")
    }

    func files(in path: [String], after name: String?, limit: Int) async throws -> [ServedFile] {
        var (all, last): ([ServedFile], String?) = ([], nil)
        while true {
            let page = try await rest.files(in: path, after: last, limit: 1000)
            all += page
            guard page.count == 1000 else { break }
            last = page.last?.name
        }
        let found = try await documents.documents(in: path)
        let names = Set(found.files.filter { !$0.isDerived }.map { Array($0.name.utf8) })
        all.removeAll { names.contains(Array($0.name.utf8)) }
        let folders = Set(all.filter(\.isFolder).map { Array($0.name.utf8) })
        let kept = Set(all.map { Array($0.name.utf8) })
        all +=
            found.files.filter { !$0.isDerived || !kept.contains(Array($0.name.utf8)) }
            + found.folders.filter { !folders.contains(Array($0.utf8)) }.map(Self.folder)
        let start = Array((name ?? "").utf8)
        return Array(
            all.filter { start.lexicographicallyPrecedes($0.name.utf8) }
                .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.prefix(limit))
    }

    func content(at path: [String]) async throws -> ServedContent? {
        if let found = try await documents.content(at: path) {
            return found.file.isDerived ? try await rest.content(at: path) ?? found : found
        }
        return try await rest.content(at: path)
    }

    func write(_ write: ServedWrite) async throws -> ServedFileResult {
        guard let name = write.path.last, try await isFolder(Array(write.path.dropLast())) else { return .noParent }
        let known = try await document(at: write.path)
        if known?.isDerived ?? false { return Self.isDerived }
        let isKnown = known != nil
        guard isKnown || documents.takes(name, size: write.content.size) else { return try await keep(write) }
        let kept = isKnown ? nil : try await rest.file(at: write.path)
        var write = write
        if let kept {
            // What was kept becomes a document.
            guard !kept.isFolder else { return .exists }
            let entry = ServedEntry(
                name: name, id: kept.id, etag: kept.etag, length: kept.length, changedAt: kept.changedAt)
            guard write.condition.holds(for: entry) else { return .refused(kept.etag) }
            write.condition = .always
        }
        let result = try await documents.write(write)
        switch result {
        case .done(let isNew, let etag):
            if kept != nil { _ = try await rest.remove(write.path, if: .always, by: write.author) }
            try await adoptFiles(of: write.path, by: write.author)
            return .done(isNew: isNew && kept == nil, etag: etag)
        // What cannot be read as a document, in spite of its name, is kept as a file.
        case .forbidden where !isKnown: return try await keep(write)
        default: return result
        }
    }

    private func keep(_ write: ServedWrite) async throws -> ServedFileResult {
        try await makeFolders(Array(write.path.dropLast()), by: write.author)
        let result = try await rest.write(write)
        if case .done = result { try await adopt(documents.referenced([write.path], by: nil), by: write.author) }
        return result
    }

    /// The most files beside documents that are looked at for one document.
    private static let mostFiles = 2000

    /// Makes the files that a document refers to part of it. A document and its files may come at once, in any order: each is stored
    /// before it looks for the other, so one of them finds it.
    private func adoptFiles(of document: [String], by author: ServedAuthor) async throws {
        var (found, waiting): ([[String]], [[String]]) = ([], [[]])
        while let next = waiting.popLast(), found.count < Self.mostFiles {
            let inside = try await rest.files(in: next, after: nil, limit: Self.mostFiles)
            found += inside.filter { !$0.isFolder }.map { next + [$0.name] }
            waiting += inside.filter(\.isFolder).map { next + [$0.name] }
        }
        if found.isEmpty { return }
        try await adopt(documents.referenced(found, by: document), by: author)
    }

    private func adopt(_ files: [[String]], by author: ServedAuthor) async throws {
        for path in files {
            guard let content = try await rest.content(at: path), content.file.length <= Self.largestText else {
                continue
            }
            let bytes = try await content.read(0..<content.file.length)
            guard try await documents.adopt(ServedWrite(path, .bytes(bytes), author: author)) else { continue }
            // A program that has written it once more meanwhile has written the document's.
            _ = try await rest.remove(path, if: .matches([content.file.etag]), by: author)
        }
    }

    private func isFolder(_ path: [String]) async throws -> Bool { try await file(at: path)?.isFolder ?? false }

    /// Makes the folders of a path that only documents have had.
    private func makeFolders(_ path: [String], by author: ServedAuthor) async throws {
        for count in 0..<path.count {
            let part = Array(path.prefix(count + 1))
            if try await rest.file(at: part) == nil {
                _ = try await rest.makeFolder(at: part, properties: [:], by: author)
            }
        }
    }

    func makeFolder(
        at path: [String], properties: [String: String], by author: ServedAuthor
    ) async throws -> ServedFileResult {
        let parent = Array(path.dropLast())
        guard try await isFolder(parent) else { return .noParent }
        guard try await file(at: path) == nil else { return .exists }
        try await makeFolders(parent, by: author)
        return try await rest.makeFolder(at: path, properties: [:], by: author)
    }

    func remove(
        _ path: [String], if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedFileResult {
        if let document = try await document(at: path) {
            if document.isDerived { return Self.isDerived }
            // The folder stays when its last document goes.
            try await makeFolders(Array(path.dropLast()), by: author)
            return try await documents.remove(path, if: condition, by: author)
        }
        guard let file = try await file(at: path) else { return .missing }
        guard file.isFolder else { return try await rest.remove(path, if: condition, by: author) }
        try await makeFolders(Array(path.dropLast()), by: author)
        var failures: [ServedFileFailure] = []
        for document in try await all(below: path) {
            if case .done = try await documents.remove(document, if: .always, by: author) { continue }
            failures.append(ServedFileFailure(document, 403))
        }
        if !failures.isEmpty { return .partial(failures) }
        _ = try await rest.remove(path, if: .always, by: author)
        return .done(isNew: false, etag: "")
    }

    /// The paths of all documents below a folder.
    private func all(below path: [String]) async throws -> [[String]] {
        var (found, waiting): ([[String]], [[String]]) = ([], [path])
        while let next = waiting.popLast() {
            let inside = try await documents.documents(in: next)
            found += inside.files.filter { !$0.isDerived }.map { next + [$0.name] }
            waiting += inside.folders.map { next + [$0] }
        }
        return found
    }

    func transfer(_ transfer: ServedTransfer) async throws -> ServedFileResult {
        guard let source = try await file(at: transfer.source) else { return .missing }
        let (parent, author) = (Array(transfer.target.dropLast()), transfer.author)
        guard try await isFolder(parent) else { return .noParent }
        let old = try await file(at: transfer.target)
        guard transfer.overwrites || old == nil else { return .exists }
        if source.isFolder {
            if old != nil { _ = try await remove(transfer.target, if: .always, by: author) }
            return try await transferFolder(transfer, isNew: old == nil)
        }
        if let old, old.isFolder { _ = try await remove(transfer.target, if: .always, by: author) }
        let moved = try await document(at: transfer.source)
        if moved?.isDerived ?? false, !transfer.isCopy { return Self.isDerived }
        let isDocument = moved != nil
        let takes = documents.takes(transfer.target.last ?? "", size: source.length)
        if isDocument, takes, old == nil, !transfer.isCopy {
            try await makeFolders(Array(transfer.source.dropLast()), by: author)
            return try await documents.move(transfer.source, to: transfer.target, by: author)
        }
        if !isDocument, !takes, try await document(at: transfer.target) == nil {
            try await makeFolders(parent, by: author)
            let result = try await rest.transfer(transfer)
            if case .done = result { try await adopt(documents.referenced([transfer.target], by: nil), by: author) }
            return result
        }
        // An editor has written beside the document and puts this in its place, or puts the document aside.
        guard let content = try await content(at: transfer.source) else { return .missing }
        guard content.file.length <= Self.largestText || !merges else { return .noRoom }
        try await content.prepare?()
        var write = ServedWrite(
            transfer.target, .bytes(try await content.read(0..<content.file.length)), author: author)
        write.base = transfer.base
        let result = try await self.write(write)
        guard case .done = result, !transfer.isCopy else { return result }
        return try await remove(transfer.source, if: .always, by: author) == .missing
            ? .missing : .done(isNew: old == nil, etag: "")
    }

    private static let largestText = 32 << 20

    private func transferFolder(_ transfer: ServedTransfer, isNew: Bool) async throws -> ServedFileResult {
        let made = try await makeFolder(at: transfer.target, properties: [:], by: transfer.author)
        guard case .done = made else { return made }
        var failures: [ServedFileFailure] = []
        if transfer.isDeep {
            for child in try await files(in: transfer.source, after: nil, limit: Int.max) {
                var part = transfer
                (part.source, part.target) = (transfer.source + [child.name], transfer.target + [child.name])
                switch try await self.transfer(part) {
                case .done: continue
                case .partial(let more): failures += more
                default: failures.append(ServedFileFailure(part.source, 403))
                }
            }
        }
        if !failures.isEmpty { return .partial(failures) }
        if !transfer.isCopy { _ = try await remove(transfer.source, if: .always, by: transfer.author) }
        return .done(isNew: isNew, etag: "")
    }

    func setProperties(
        _ properties: [String: String?], of path: [String], by author: ServedAuthor
    ) async throws -> ServedFileResult { .forbidden("these files have no properties of programs") }

    func quota() async throws -> (used: Int, available: Int)? { try await rest.quota() }
}
