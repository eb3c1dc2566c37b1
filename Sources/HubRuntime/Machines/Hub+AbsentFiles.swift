import HTTPClient
import HubKit
package import Storage

/// The files that are on the machines that this one has joined.
extension Hub: AbsentFiles {
    /// Returns the files that are not here, with the joined machines that have them.
    package func places() async throws -> [BlobID: String] {
        let all = try await self.database().store(for: "core").read { try $0.absentFiles() }
        return Dictionary(all.map { ($0.blob, $0.machine) }) { first, _ in first }
    }

    /// Fetches a file that is not here from the machine that has it.
    package func fetch(_ id: BlobID) async throws {
        let database = try self.database()
        guard let machine = try await places()[id], let blobs = database.blobs else { return }
        func unreachable(_ error: HubError?) -> HubError {
            HubError(
                .unavailable, code: "file-elsewhere", "this sound is on \(machine), which cannot be reached",
                details: error.map { [$0.message] } ?? [],
                hint: "see that hub serve runs on \(machine), and try again", cause: error)
        }
        guard let access = MachineAccess.read(machine, self) else { throw unreachable(nil) }
        let link = access.link(machine, self)
        let result: Result<StoredBlob?, any Error>
        do {
            result = .success(try await MachineBlobs.fetch(id, into: blobs, from: link))
        } catch {
            result = .failure(error)
        }
        await link.client.close()
        switch result {
        case .success(let stored?):
            let operation = Operation("machines", who: .service("machines"), kind: .cache)
            try await database.store(for: "core").write(operation) { try $0.removeAbsentFiles([id]) }
            withExtendedLifetime(stored) {}
        case .success(nil):
            throw HubError(
                .notFound, code: "file-gone", "\(machine) does not have this sound",
                hint: "a backup of \(machine) may have it")
        case .failure(let error as HubError): throw unreachable(error)
        case .failure(let error): throw error
        }
    }
}
