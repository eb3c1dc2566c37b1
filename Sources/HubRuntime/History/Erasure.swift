import Glibc
import HubKit

/// The end of a command that destroys something for good: its remains in the files of the store go too.
struct Erasure: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Removes the remains and adds to the answer what could not be removed.
    func finish(_ output: Output) async -> Output {
        var output = output
        do {
            if try await !hub.database().eraseRemains() {
                output.notes.append(
                    .warning(
                        "another hub process is reading, so remains may stay in the log for some hours",
                        code: "remains-in-log"))
            }
        } catch {
            let reason = (error as? HubError)?.message ?? "\(error)"
            output.notes.append(
                .warning(
                    "remains may be left in the free parts of the store: \(reason)", code: "remains-in-store",
                    hint: "hub history prune --before 100y clears them when that is solved"))
        }
        let backups = hub.directories.data + "/backups"
        if let stream = opendir(backups) {
            defer { closedir(stream) }
            var count = 0
            while readdir(stream) != nil { count += 1 }
            // Every folder names itself and the one above.
            if count > 2 {
                output.notes.append(
                    Note("Older copies of the store still hold it: \(backups)", code: "copies-in-backups"))
            }
        }
        return output
    }
}
