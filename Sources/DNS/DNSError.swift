/// An error of a query to the domain name system.
package enum DNSError: Error, Hashable, Sendable {
    /// No such name exists.
    case noSuchName
    /// No server answered in time.
    case unreachable
    /// The servers refused.
    case refused
    /// The name cannot be asked for, or the answer breaks RFC 1035.
    case malformed
}

extension DNSError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .noSuchName: "the domain does not exist"
        case .unreachable: "no name server answered"
        case .refused: "the name server refused to answer"
        case .malformed: "the response of the name server is invalid"
        }
    }
}
