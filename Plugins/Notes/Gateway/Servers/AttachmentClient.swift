import HTTPClient
import HubKit
import JSON
import NotesDomain
import Sync
import SyncHTTP

/// The routes of a server of hub for the contents of attachments, which are sent and fetched in pieces.
struct AttachmentClient: Sendable {
    /// The bytes of a piece.
    static let pieceSize = 4 << 20

    /// What a server has of the content that an account sends.
    struct UploadState: Hashable, Sendable {
        /// The number of bytes that are there.
        let offset: Int
        /// Whether all of it is there.
        let isStored: Bool
    }

    let connection: NoteServerConnection

    /// Returns what the server has; nil if it knows no attachments.
    func state(of hash: String) async throws -> UploadState? {
        let response = try await connection.send(.get, "api/attachments/\(hash)/upload")
        if response.status == 404 || response.status == 400 { return nil }
        return try state(response)
    }

    /// Sends a piece, from `offset` on. The answer may say that another one is due.
    func send(_ bytes: [UInt8], of hash: String, at offset: Int, size: Int) async throws -> UploadState {
        let response = try await connection.send(
            .put, "api/attachments/\(hash)/upload?offset=\(offset)&size=\(size)", body: bytes)
        return try state(response)
    }

    /// Fetches a piece; nil if the server does not give it.
    func piece(of hash: String, at offset: Int) async throws -> [UInt8]? {
        let response = try await connection.send(
            .get, "api/attachments/\(hash)?offset=\(offset)", maximumBody: 2 * Self.pieceSize)
        if response.status == 404 || response.status == 403 { return nil }
        if let error = RemoteError(response) { throw error }
        return response.body
    }

    private func state(_ response: HTTPResponse) throws -> UploadState {
        if response.status != 409, response.status != 413, let error = RemoteError(response) { throw error }
        guard response.status != 413, let json = try? JSONReader.read(response.body),
            let offset = json["offset"]?.integer, let isStored = json["stored"]?.bool
        else {
            throw NoteAppError(response.status, "the server does not take the file (status \(response.status))")
        }
        return UploadState(offset: offset, isStored: isStored)
    }
}
