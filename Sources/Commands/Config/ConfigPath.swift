/// The path of a setting in the config file: `plugins.contacts.accounts.posteo.url`.
///
/// In the path of a declared key, the part `*` stands for any one name, such as that of an account.
package struct ConfigPath: Hashable, Sendable {
    /// The parts between the dots; `*` stands for any name.
    package var parts: [String]

    package init(_ parts: [String]) { self.parts = parts }

    /// The part that stands for any name.
    package static let anyName = "*"

    /// Parses a path as a user types it and as TOML writes a dotted key: quoted parts may contain anything. Nil when
    /// a part is empty or a quote is not closed.
    package init?(_ text: String) {
        var parts: [String] = []
        var rest = text[...]
        while true {
            guard let part = ConfigPath.takePart(from: &rest) else { return nil }
            parts.append(part)
            if rest.isEmpty { break }
            guard rest.removeFirst() == "." else { return nil }
        }
        self.parts = parts
    }

    private static func takePart(from rest: inout Substring) -> String? {
        if let quote = rest.first, quote == "\"" || quote == "'" {
            rest.removeFirst()
            guard let end = rest.firstIndex(of: quote), end != rest.startIndex else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[..<end])
        }
        let part = rest.prefix { $0 != "." }
        rest = rest[part.endIndex...]
        return part.isEmpty ? nil : String(part)
    }

    /// The path with `name` in the place of the wildcard.
    package func naming(_ name: String) -> ConfigPath {
        ConfigPath(parts.map { $0 == ConfigPath.anyName ? name : $0 })
    }

    /// The path of the table whose names replace the wildcard; nil when there is no wildcard.
    package var group: ConfigPath? {
        parts.firstIndex(of: ConfigPath.anyName).map { ConfigPath(Array(parts[..<$0])) }
    }

    /// The path that begins with `parts` and goes on with this one.
    package func prefixed(by parts: [String]) -> ConfigPath { ConfigPath(parts + self.parts) }
}

extension ConfigPath: CustomStringConvertible {
    /// The path as it is typed; a part with other characters than letters, digits, `-` and `_` is quoted.
    package var description: String {
        parts.map { part in
            let isPlain =
                !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_*".contains($0) }
            return isPlain ? part : part.contains("\"") ? "'\(part)'" : "\"\(part)\""
        }.joined(separator: ".")
    }
}
