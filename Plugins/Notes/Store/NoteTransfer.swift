import Hashing
import NotesDomain
import Storage
import System
import TextCRDT

/// A served note with everything that a server has of it.
struct TransferredNote: Sendable {
    let id: String
    /// Its revision in the store that it was read from, which every change there raises.
    let revision: Int
    let wireID: NoteAppID?
    var folder: String
    var access: NoteAccess
    var tags: [String]
    var attachments: [AttachmentReference]
    /// What its file has before the text, the name of the file, and the title in it.
    var file: (head: String?, stem: [UInt8]?, title: String?)
    let createdAt: Instant
    var changedAt: Instant
    var deletedAt: Instant?
    /// The texts with all their edits.
    var document: NoteDocument
    /// Who made the edits, and when, in the order of the changes.
    var batches: [(field: NoteField, batch: EditBatch)]

    /// A digest of what clients can see of it.
    func digest() throws -> [UInt8] {
        var parts = [id, wireID?.text ?? "", folder, access.owner]
        for names in [access.members, access.readers.sorted(), tags] { parts += ["\(names.count)"] + names }
        parts += [deletedAt == nil ? "" : "trash", document.title.text, document.content.text]
        parts += ["\(document.title.eventCount)", "\(document.content.eventCount)"]
        for attachment in attachments.sorted(by: { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }) {
            parts += [String(decoding: attachment.path.bytes, as: UTF8.self), attachment.hash, attachment.link ?? ""]
        }
        return try SHA256.hash(parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
    }

    /// Takes in the edits that `other`, the same note elsewhere, has besides. Returns whether there were any.
    mutating func merge(_ other: TransferredNote) throws -> Bool {
        let before = document.version
        _ = try document.merge(other.document.patch(since: NoteVersion()))
        guard document.version != before else { return false }
        let known = Dictionary(grouping: batches) { "\($0.field.number) \($0.batch.agent)" }
        batches += other.batches.filter { added in
            !(known["\(added.field.number) \(added.batch.agent)"] ?? []).contains {
                $0.batch.sequences.overlaps(added.batch.sequences)
            }
        }
        return true
    }
}

/// What a server knows of people.
struct TransferredPeople: Sendable {
    /// The hashes of tokens, with whose they are.
    var tokens: [(hash: [UInt8], person: String, createdAt: Int, usedAt: Int?)] = []
    /// Whose replica each agent is.
    var agents: [(agent: String, person: String)] = []
    var requests: [AccessRequest] = []
}

/// A store that served notes are copied from or to. Putting something that is there already changes nothing.
protocol NoteTransferEnd: Sendable {
    /// The contents of attachments.
    var contents: any AttachmentContents { get }
    func people() async throws -> TransferredPeople
    func add(_ people: TransferredPeople) async throws
    /// Returns the ids of served notes, live and in the trash, by their order after one of them.
    func ids(after: String, limit: Int) async throws -> [String]
    func note(_ id: String) async throws -> TransferredNote?
    /// Stores a note with all that it has, in place of what is there of it, unless that is not the revision `known` any more; nil says
    /// that it was not there. Returns whether it was stored.
    func put(_ note: TransferredNote, over known: Int?) async throws -> Bool
}
