import Hashing
import HubKit
import NotesDomain
import Storage

/// What came of the contents that an earlier release kept in the folder of a server.
struct ContentMove: Hashable, Sendable {
    /// The contents that are in the database now, and their bytes.
    var (moved, bytes) = (0, 0)
    /// Those of which the file here has other bytes than its name says.
    var damaged = 0
    /// Those that notes name, and that are neither in the database nor here.
    var missing = 0
}

extension NotesPlugin {
    /// The contents that are looked for at once.
    private static var contentPage: Int { 100 }

    /// The sender of these contents. No account begins with a space, and servers that copy at the same time are not in each other's way.
    var contentSender: String {
        let place = PostgresUpkeep.host + directories.data
        return " " + String(FNV1a128.hash(Array(place.utf8)), radix: 16)
    }

    /// Copies the contents into the database that a server of an earlier release kept in this folder, and that the database lacks. Each is checked
    /// by its hash before any note has it. A copy that is interrupted goes on where it ended.
    func moveContents() async throws -> ContentMove {
        guard let database = (serverStore as? PostgresNoteServerStore)?.database else { return ContentMove() }
        let (old, new) = (
            FileContents(blobs: blobs, folder: directories.cache + "/uploads", clock: clock),
            PostgresContents(database: database)
        )
        let sender = contentSender
        var (move, last) = (ContentMove(), "")
        while true {
            let hashes = try await database.read { [last] in
                try await $0.missingContents(after: last, limit: Self.contentPage)
            }
            guard let end = hashes.last else { return move }
            last = end
            for hash in hashes {
                guard let size = try await old.size(of: hash) else {
                    move.missing += 1
                    continue
                }
                if try await copyContent(hash, from: old, to: new, as: sender) == nil {
                    move.damaged += 1
                } else {
                    move.moved += 1
                    move.bytes += size
                }
            }
        }
    }

    /// Does so at the start of a server, which serves meanwhile, and says what came of it.
    func moveContentsAtStart() async {
        do {
            let move = try await moveContents()
            if move.moved > 0 {
                log.notice(
                    "\(move.moved) contents of attachments (\(move.bytes) bytes) were copied from this folder into the database"
                )
            }
            if move.damaged > 0 {
                log.error("\(move.damaged) contents of attachments in this folder are damaged and were not copied")
            }
            if move.missing > 0 {
                log.warning(
                    "\(move.missing) contents of attachments are neither in the database nor here; start the server that took them"
                )
            }
        } catch {
            log.warning("the contents of attachments were not all copied, and will be at the next start: \(error)")
        }
    }
}
