import HubKit
import NotesDomain

/// The routes for the contents of attachments, which clients of hub's protocol send and fetch in pieces.
enum AttachmentEndpoint {
    static let routes = [
        ListenerRoute("GET", "/api/attachments/{hash}", access: .everybody) { (notes: NotesPlugin, request) in
            try await answer(request) { hash, account in
                try await notes.attachmentPiece(hash, at: number("offset", request) ?? 0, for: account)
            }
        },
        ListenerRoute("GET", "/api/attachments/{hash}/upload", access: .everybody) { (notes: NotesPlugin, request) in
            try await answer(request) { hash, account in try await notes.uploadState(hash, of: account) }
        },
        ListenerRoute("PUT", "/api/attachments/{hash}/upload", access: .everybody) { (notes: NotesPlugin, request) in
            guard let offset = number("offset", request), let size = number("size", request) else {
                return .json(#"{"message":"offset and size must be numbers"}"#, status: 400)
            }
            return try await answer(request) { hash, account in
                try await notes.takeUpload(hash, at: offset, size: size, request.body, from: account)
            }
        },
    ]

    private static func number(_ name: String, _ request: ListenerRequest) -> Int? {
        request.query[name].flatMap { Int($0) }.flatMap { (0...NoteLimits.attachment * 2).contains($0) ? $0 : nil }
    }

    private static func answer(
        _ request: ListenerRequest, _ body: (_ hash: String, _ account: String) async throws -> AttachmentAnswer
    ) async throws -> ListenerResponse {
        guard let account = request.client else {
            var response = ListenerResponse.json(#"{"message":"attachments need an account"}"#, status: 401)
            response.headers.append(("WWW-Authenticate", "Bearer"))
            return response
        }
        guard let hash = request.captures["hash"], AttachmentReference.isHash(hash) else {
            return .json(#"{"message":"the name must be a SHA-256 in hexadecimal digits"}"#, status: 400)
        }
        switch try await body(hash, account) {
        case .piece(let bytes):
            // Whatever it is, no browser opens it.
            return ListenerResponse(
                headers: [
                    ("Content-Type", "application/octet-stream"), ("Content-Disposition", "attachment"),
                    ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "private, no-store"),
                ], body: bytes)
        case .upload(let offset, let isStored, let isConflict):
            return .json(##"{"offset":\##(offset),"stored":\##(isStored)}"##, status: isConflict ? 409 : 200)
        case .notFound: return .json(#"{"message":"attachment not found"}"#, status: 404)
        case .tooLarge:
            return .json(#"{"message":"the attachment is larger than the server takes"}"#, status: 413)
        }
    }
}
