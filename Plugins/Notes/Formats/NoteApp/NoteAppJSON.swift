import JSON

/// Reads JSON as the original's server does: of equal names the last one counts, and half a surrogate pair is U+FFFD.
enum NoteAppJSON {
    static func read(_ bytes: [UInt8], limit: Int) throws(JSONReader.Problem) -> JSONValue {
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
