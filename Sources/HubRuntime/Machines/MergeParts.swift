import HubKit
import Storage

/// An entity of a home that was deleted for good here, and comes back, for it or a document of it was changed there.
struct ReturningEntity: Sendable {
    /// The plugin of the entity.
    let owner: String
    /// The documents, by their kinds and their names at the home; that of the entity itself is the first.
    let documents: [(kind: DocumentKind, name: String)]
}

/// How entities are merged that have more than one document, such as a task and its entries: a change of one counts as a change of the entity.
extension Transaction {
    /// Merges the trash of an entity with changes of its other documents here; what goes for good from the trash takes them with it.
    func settleParts(
        of local: String, _ kind: DocumentKind, ours: Document, _ result: Document, at machine: String
    ) throws -> Document {
        let isRemoved = result.isEmpty && !ours.isEmpty
        let isTrashed = !ours.isTrashed(kind) && result.isTrashed(kind)
        guard isRemoved || isTrashed else { return result }
        for part in parts(of: kind) {
            for entry in try documents(of: local, part) {
                if isRemoved, ours.isTrashed(kind) {
                    try write(Document(), as: entry.name, of: part)
                } else if isRemoved {
                    // What was not changed here was removed before it.
                    return ours
                } else if try machineItem(part.id, local: entry.name, at: machine)?.etag != entry.etag {
                    return result.restored(kind)
                }
            }
        }
        return result
    }

    /// Merges a changed document of the home with the trash of its entity here, from which it brings that back. Where the entity was deleted
    /// for good the document goes too: if the home has not the entity in its trash, that was brought back before.
    func settleEntity(
        of local: String, _ kind: DocumentKind, _ theirs: Document, _ result: Document, at machine: String,
        _ word: String
    ) throws -> Document {
        guard !theirs.isEmpty, let whole = documentKinds().first(where: { $0.kind.id == kind.parent })?.kind else {
            return result
        }
        let subject = kind.subject(of: local)
        let entity = try document(subject, of: whole)
        let item = try machineItem(whole.id, local: subject, at: machine)
        if entity.isEmpty {
            guard let item, !item.etag.isEmpty else { return result }
            try release(subject, of: whole.id, at: machine)
            try noteGone(local, of: kind)
            return Document()
        }
        guard entity.isTrashed(whole), let base = try item?.content.map({ try Document($0) }), !base.isTrashed(whole)
        else { return result }
        try write(entity.restored(whole), as: subject, of: whole, renaming: word)
        return result
    }

    /// Returns the entities, by their names at the home, that are removed there and stay here with all their documents, since one of these was
    /// changed here.
    func keptEntities(of documents: [CarriedDocument], at machine: String) throws -> Set<String> {
        var kept: Set<String> = []
        for (_, kind) in documentKinds() {
            let parts = parts(of: kind)
            for carried in documents where !parts.isEmpty && carried.kind == kind.id && carried.document == nil {
                guard let item = try machineItem(kind.id, carried.name, at: machine), !item.etag.isEmpty else {
                    continue
                }
                let ours = try document(item.local, of: kind)
                if ours.isEmpty || ours.isTrashed(kind) { continue }
                let isChanged = try parts.contains { part in
                    try self.documents(of: item.local, part).contains { entry in
                        try machineItem(part.id, local: entry.name, at: machine)?.etag != entry.etag
                    }
                }
                if try isChanged || ours.etag != item.etag { kept.insert(carried.name) }
            }
        }
        return kept
    }

    /// Keeps a document that is removed at the home: it is sent again.
    func keep(_ name: String, of kind: DocumentKind, at machine: String) throws {
        if let item = try machineItem(kind.id, name, at: machine) { try save(item.with("", nil), at: machine) }
        try release(name, of: kind.id, at: machine)
    }

    /// Returns the entities with several documents that were deleted for good here and have one that the home has changed since.
    func returningEntities(
        of documents: [CarriedDocument], at machine: String, isRestored: Bool
    ) throws -> [ReturningEntity] {
        var returning: [ReturningEntity] = []
        for (owner, whole) in documentKinds() {
            let parts = parts(of: whole)
            if parts.isEmpty { continue }
            var names: Set<String> = []
            for kind in [whole] + parts {
                for carried in documents where carried.kind == kind.id && carried.document != nil {
                    let known = try machineItem(kind.id, carried.name, at: machine)
                    let isOld = isRestored && known?.former.contains(carried.etag) ?? false
                    if known?.etag != carried.etag, !isOld { names.insert(kind.subject(of: carried.name)) }
                }
            }
            let gone = try names.sorted().filter { name in
                guard let item = try machineItem(whole.id, name, at: machine), !item.etag.isEmpty else { return false }
                return try document(item.local, of: whole).isEmpty
            }
            // All that the home has is looked at only where something comes back, which is seldom.
            if gone.isEmpty { continue }
            let others = try machineItems(at: machine).compactMap { item in
                parts.first { $0.id == item.kind && !item.etag.isEmpty }.map { (kind: $0, name: item.name) }
            }
            let rest = Dictionary(grouping: others) { $0.kind.subject(of: $0.name) }
            returning += gone.map { name in
                ReturningEntity(owner: owner, documents: [(kind: whole, name: name)] + (rest[name] ?? []))
            }
        }
        return returning
    }

    /// Takes the documents of an entity of the home that was deleted for good here, unless it is in the trash there.
    func bringBack(
        _ found: [CarriedDocument], of entity: ReturningEntity, from machine: String, as word: String
    ) throws {
        guard let first = found.first?.document, let whole = entity.documents.first?.kind, !first.isTrashed(whole)
        else {
            return
        }
        for (carried, (kind, name)) in zip(found, entity.documents) {
            guard let document = carried.document, let item = try machineItem(kind.id, name, at: machine) else {
                continue
            }
            try write(document, as: item.local, of: kind, renaming: word)
            try save(item.with(carried.etag, document.bytes), at: machine)
            try release(item.local, of: kind.id, at: machine)
        }
    }

    private func parts(of kind: DocumentKind) -> [DocumentKind] {
        documentKinds().map(\.kind).filter { $0.parent == kind.id }
    }
}
