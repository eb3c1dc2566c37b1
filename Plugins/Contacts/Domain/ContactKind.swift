/// The kind of entity that a card describes (RFC 6350 §6.1.4).
package enum ContactKind: Hashable, Sendable {
    case individual, group, organization
    /// A location, application, device or another kind, in lower case.
    case other(String)

    /// Parses the value of `KIND`, ignoring case.
    package init(_ name: String) {
        switch name.lowercased() {
        case "", "individual": self = .individual
        case "group": self = .group
        case "org", "organization", "company": self = .organization
        case let name: self = .other(name)
        }
    }

    /// The value of `KIND`.
    package var name: String {
        switch self {
        case .individual: "individual"
        case .group: "group"
        case .organization: "org"
        case .other(let name): name
        }
    }
}
