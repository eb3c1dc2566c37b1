/// The opening handshake of a WebSocket (RFC 6455 §4): what the headers of request and response must be. It does no I/O.
package enum WebSocketHandshake {
    /// Why a request or a response is not a handshake.
    package enum Failure: Error, Hashable, Sendable {
        /// The request does not ask for a WebSocket; it may be an ordinary one.
        case notUpgrade
        /// The client speaks another version; a server answers 426 with `Sec-WebSocket-Version: 13`.
        case unsupportedVersion
        /// A header that must be there is missing or wrong; a server answers 400.
        case invalidHeader(String)
        /// The server answered with this status instead of 101.
        case status(Int)
    }

    /// The headers of a message, by their names in any case; of several equal ones the values joined with commas.
    package struct Headers: Sendable {
        private var values: [String: String] = [:]

        /// Collects headers in their order.
        package init(_ headers: some Sequence<(name: String, value: String)>) {
            for (name, value) in headers {
                let key = name.lowercased()
                values[key] = values[key].map { $0 + "," + value } ?? value
            }
        }

        /// The value of a header; nil without it.
        package subscript(name: String) -> String? { values[name.lowercased()] }

        /// The elements of a list, without the blanks around them.
        func list(_ name: String) -> [String] {
            (self[name] ?? "").split(separator: ",").map { element in
                let start = element.drop { $0 == " " || $0 == "\t" }
                return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
            .filter { !$0.isEmpty }
        }

        func contains(_ token: String, in name: String) -> Bool {
            list(name).contains { $0.lowercased() == token.lowercased() }
        }
    }

    // MARK: Server

    /// Returns the headers of the response 101 to a GET request with these headers, and the subprotocol that both ends know:
    /// the first of the client's that is among `subprotocols`; nil for none, which ends no handshake.
    package static func accept(
        _ request: Headers, subprotocols: [String] = []
    ) throws(Failure) -> (headers: [(name: String, value: String)], subprotocol: String?) {
        guard request.contains("websocket", in: "Upgrade"), request.contains("Upgrade", in: "Connection") else {
            throw .notUpgrade
        }
        guard request["Sec-WebSocket-Version"]?.filter({ $0 != " " }) == "13" else { throw .unsupportedVersion }
        guard let key = request.list("Sec-WebSocket-Key").first, request.list("Sec-WebSocket-Key").count == 1,
            isKey(key)
        else { throw .invalidHeader("Sec-WebSocket-Key") }
        let subprotocol = request.list("Sec-WebSocket-Protocol").first { subprotocols.contains($0) }
        var headers = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", answer(to: key))]
        if let subprotocol { headers.append(("Sec-WebSocket-Protocol", subprotocol)) }
        return (headers.map { (name: $0.0, value: $0.1) }, subprotocol)
    }

    // MARK: Client

    /// Returns the headers of a request, besides `Host`. `key` is 16 random bytes, new for each connection (§4.1).
    package static func request(key: [UInt8], subprotocols: [String] = []) -> [(name: String, value: String)] {
        var headers = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", base64(key)),
        ]
        if !subprotocols.isEmpty { headers.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))) }
        return headers.map { (name: $0.0, value: $0.1) }
    }

    /// Checks the response to a request with the same arguments. Returns the subprotocol that the server chose; nil for none.
    package static func check(
        status: Int, _ response: Headers, key: [UInt8], subprotocols: [String] = []
    ) throws(Failure) -> String? {
        guard status == 101 else { throw .status(status) }
        guard response.contains("websocket", in: "Upgrade") else { throw .invalidHeader("Upgrade") }
        guard response.contains("Upgrade", in: "Connection") else { throw .invalidHeader("Connection") }
        guard response["Sec-WebSocket-Accept"]?.filter({ $0 != " " }) == answer(to: base64(key)) else {
            throw .invalidHeader("Sec-WebSocket-Accept")
        }
        // No extension was offered, so none can be in use.
        guard response.list("Sec-WebSocket-Extensions").isEmpty else {
            throw .invalidHeader("Sec-WebSocket-Extensions")
        }
        let chosen = response.list("Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(subprotocols.contains) else {
            throw .invalidHeader("Sec-WebSocket-Protocol")
        }
        return chosen.first
    }

    // MARK: Values

    /// The value of `Sec-WebSocket-Accept` for a key (§4.2.2).
    private static func answer(to key: String) -> String {
        base64(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }

    /// Whether a key is 16 bytes in base64.
    private static func isKey(_ key: String) -> Bool {
        let letters = Array(key.utf8)
        return letters.count == 24 && letters.hasSuffix("==") && letters.dropLast(2).allSatisfy(alphabet.contains)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Base64 (RFC 4648 §4).
    private static func base64(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for index in 0..<4 {
                letters.append(index <= part.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

/// The hash function SHA-1 (FIPS 180-4), which the handshake names; nothing secret depends on it.
enum SHA1 {
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<start + 64], into: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = (0..<16).map { index in
            block.dropFirst(4 * index).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
        for index in 16..<80 {
            words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (choice, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ choice &+ e &+ constant &+ words[index]
            (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] = state[index] &+ word }
    }
}
