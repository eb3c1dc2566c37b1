/// The name of an element or attribute: a namespace and a local name (Namespaces in XML 1.0). The prefix means nothing.
package struct XMLName: Hashable, Sendable {
    /// The namespace's name, such as `DAV:`; empty for none.
    package let namespace: String
    /// The name within it.
    package let local: String

    package init(_ namespace: String, _ local: String) {
        self.namespace = namespace
        self.local = local
    }
}

extension XMLName: CustomStringConvertible {
    /// The name in Clark's notation: `{DAV:}href`.
    package var description: String { namespace.isEmpty ? local : "{\(namespace)}\(local)" }
}
