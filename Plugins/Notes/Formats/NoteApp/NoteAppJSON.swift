import JSON

/// Reads JSON as the original's server does: of equal names the last one counts, half a surrogate pair and what is not UTF-8 are
/// U+FFFD, and a byte order mark is passed over.
enum NoteAppJSON {
    static func read(_ bytes: [UInt8], limit: Int) throws(JSONReader.Problem) -> JSONValue {
        var bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if bytes.count <= limit, String(validating: bytes, as: UTF8.self) == nil {
            bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
        }
        do {
            return try JSONReader.read(bytes, limits: .init(bytes: limit, depth: 32))
        } catch  where error.kind == .duplicateName || error.kind == .invalidString {
            let json = try JSONReader.read(bytes, limits: .init(bytes: limit, depth: 32, isLenient: true))
            guard case .object(let members) = json else { return json }
            var seen: Set<String> = []
            return .object(members.reversed().filter { seen.insert($0.name).inserted }.reversed())
        }
    }
}
