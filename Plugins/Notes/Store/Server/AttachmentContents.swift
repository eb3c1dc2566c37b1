/// The contents of attachments that a server has, by their hashes, and those that are being sent to it in pieces.
///
/// What an account may read is not asked here. Content that no row names may be removed after a day.
protocol AttachmentContents: Sendable {
    /// Returns the size of content that is there as a whole; nil if it is not.
    func size(of hash: String) async throws -> Int?

    /// Returns bytes of content from `offset` on: at most `limit`, at least one unless it ends there.
    func piece(of hash: String, at offset: Int, limit: Int) async throws -> [UInt8]

    /// Returns the number of bytes that are there of content that a sender sends.
    func received(_ hash: String, from sender: String) async throws -> Int

    /// Adds a piece to content that is sent, from `offset` on; 0 begins it again. Throws `conflict` with the code `upload-gap` for a piece that
    /// does not continue it, and `busy` where too much is being sent.
    /// - Returns: the number of bytes that are there now.
    func add(_ bytes: [UInt8], to hash: String, at offset: Int, from sender: String) async throws -> Int

    /// Keeps content of which all pieces are there, if it has this hash; what was sent is gone in any case.
    /// - Returns: what keeps the content from being removed until a row names it; nil if it is other content.
    func complete(_ hash: String, from sender: String) async throws -> (any Sendable)?
}
