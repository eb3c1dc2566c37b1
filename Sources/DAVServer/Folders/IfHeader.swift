/// The header field `If` (RFC 4918 §10.4): lists of conditions, of which one must hold.
struct IfHeader {
    /// One condition: a token of a lock or an etag, which must be there or must not.
    struct Condition: Hashable {
        enum State: Hashable { case token(String), etag(String) }
        let state: State
        let isNegated: Bool
    }

    /// A list, all conditions of which must hold.
    struct List: Hashable {
        /// The resource as it is written; nil for that of the request.
        let resource: String?
        let conditions: [Condition]
    }

    let lists: [List]

    /// All tokens that are named, wherever: naming one shows that the program has it.
    var tokens: Set<String> {
        Set(
            lists.flatMap(\.conditions).compactMap { if case .token(let token) = $0.state { token } else { nil } })
    }

    /// Reads the field; nil when it is malformed.
    init?(_ text: String) {
        var scanner = Scanner(rest: text.utf8[...])
        var lists: [List] = []
        var resource: String?
        scanner.skipSpaces()
        while !scanner.rest.isEmpty {
            if scanner.take("<") {
                guard let name = scanner.until(">") else { return nil }
                resource = name
                scanner.skipSpaces()
            }
            guard scanner.take("("), let conditions = Self.conditions(&scanner), lists.count < 1000 else { return nil }
            lists.append(List(resource: resource, conditions: conditions))
            scanner.skipSpaces()
        }
        guard !lists.isEmpty else { return nil }
        self.lists = lists
    }

    private static func conditions(_ scanner: inout Scanner) -> [Condition]? {
        var conditions: [Condition] = []
        while true {
            scanner.skipSpaces()
            if scanner.take(")") { return conditions.isEmpty ? nil : conditions }
            let isNegated = scanner.takeNot()
            scanner.skipSpaces()
            if scanner.take("<") {
                guard let token = scanner.until(">") else { return nil }
                conditions.append(Condition(state: .token(token), isNegated: isNegated))
            } else if scanner.take("[") {
                guard let etag = scanner.until("]") else { return nil }
                conditions.append(Condition(state: .etag(etag), isNegated: isNegated))
            } else {
                return nil
            }
        }
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func takeNot() -> Bool {
            guard rest.count > 3, String(rest.prefix(3))?.lowercased() == "not" else { return false }
            rest = rest.dropFirst(3)
            return true
        }

        mutating func until(_ end: Unicode.Scalar) -> String? {
            guard let index = rest.firstIndex(of: UInt8(ascii: end)) else { return nil }
            defer { rest = rest[rest.index(after: index)...] }
            return String(rest[..<index])
        }
    }
}
