import HubKit
import Storage

extension Transaction {
    /// Merges documents of a home with those here, and stores what is new.
    func merge(
        _ documents: [CarriedDocument], of kind: DocumentKind, from machine: String, as word: String, isRestored: Bool,
        _ blobs: BlobStore?, isLazy: Bool, keeping kept: Set<String>
    ) throws -> (count: Int, failed: [(index: Int, reason: String)]) {
        var failed: [(index: Int, reason: String)] = []
        var changed: Set<String> = []
        for (index, theirs) in documents.enumerated() {
            let missing = theirs.document.map { MachineBlobs.missing(of: $0, in: blobs) } ?? []
            if isLazy {
                for blob in missing.compactMap({ BlobID($0) }) {
                    try addAbsentFile(blob, on: machine, at: theirs.document?.time(of: kind) ?? now)
                }
            } else if let missing = missing.first {
                failed.append((index, "the file \(missing.prefix(12)) is not on \(machine)"))
                continue
            }
            if theirs.document == nil, kept.contains(kind.subject(of: theirs.name)) {
                try keep(theirs.name, of: kind, at: machine)
                continue
            }
            do {
                if let subject = try merge(theirs, of: kind, from: machine, as: word, isRestored: isRestored) {
                    changed.insert(subject)
                }
            } catch let problem as DocumentProblem {
                failed.append((index, problem.reason))
            }
        }
        if !changed.isEmpty { try announceDocuments(of: changed.sorted()) }
        return (changed.count, failed)
    }

    /// - Returns: the entity, if it has changed here.
    private func merge(
        _ carried: CarriedDocument, of kind: DocumentKind, from machine: String, as word: String, isRestored: Bool
    ) throws -> String? {
        let known = try machineItem(kind.id, carried.name, at: machine)
        if let known, known.etag == carried.etag {
            try release(carried.name, of: kind.id, at: machine)
            return nil
        }
        let theirs = carried.document ?? Document()
        if known == nil, theirs.isEmpty { return nil }
        if let known, isRestored, known.former.contains(carried.etag) {
            // Set back: what is here is newer, and is sent.
            try save(known.with(carried.etag, theirs.bytes), at: machine)
            return nil
        }
        var item =
            try known
            ?? MachineItem(
                kind: kind.id, name: carried.name, local: nameHere(of: carried.name, kind, machine))
        var ours = try document(item.local, of: kind)
        if known == nil, ours.isEmpty, let twin = try unpairedTwin(of: theirs, kind, at: machine) {
            item = MachineItem(kind: kind.id, name: carried.name, local: twin)
            ours = try document(twin, of: kind)
        }
        var result = theirs
        if known != nil || !ours.isEmpty {
            let base = try known.flatMap { known -> Document? in
                if known.etag.isEmpty { return Document() }
                return try known.content.map { try Document($0) }
            }
            let merge = try DocumentMerge(kind, base: base, ours: ours, theirs: theirs)
            result = merge.document
            if !merge.lost.isEmpty {
                try hold(
                    item.local, of: kind.id, at: machine, etag: carried.etag,
                    reason: "\(machine) had another value: \(merge.lost.joined(separator: "; "))", isOpen: false,
                    ours.bytes)
            }
        }
        result = try settleParts(of: item.local, kind, ours: ours, result, at: machine)
        result = try settleEntity(of: item.local, kind, theirs, result, at: machine, word)
        if result != ours { try write(result, as: item.local, of: kind, renaming: word) }
        try save(item.with(carried.etag, theirs.isEmpty ? nil : theirs.bytes), at: machine)
        try release(carried.name, of: kind.id, at: machine)
        return result == ours ? nil : kind.subject(of: item.local)
    }

    /// The name here of a document that has not been exchanged yet: the entity may have another id here.
    private func nameHere(of name: String, _ kind: DocumentKind, _ machine: String) throws -> String {
        guard let parent = kind.parent else { return name }
        let subject = kind.subject(of: name)
        guard let item = try machineItem(parent, subject, at: machine) else { return name }
        return item.local + name.dropFirst(subject.count)
    }

    /// The name at the home of a document that has not been exchanged yet.
    func nameAtHome(of name: String, _ kind: DocumentKind, _ machine: String) throws -> String {
        guard let parent = kind.parent else { return name }
        let subject = kind.subject(of: name)
        guard let item = try machineItem(parent, local: subject, at: machine) else { return name }
        return item.name + name.dropFirst(subject.count)
    }
}
