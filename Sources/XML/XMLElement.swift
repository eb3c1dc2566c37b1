/// An element of a document that holds data: its text and its children are kept, their mutual order is not.
package struct XMLElement: Hashable, Sendable {
    /// The local name with its namespace.
    package var name: XMLName
    /// The attributes by name; a name without a prefix has no namespace.
    package var attributes: [XMLName: String]
    /// The child elements in document order.
    package var children: [XMLElement]
    /// The text directly inside this element, all pieces joined. Line ends are LF, as XML reads them.
    package var text: String

    package init(
        _ name: XMLName, attributes: [XMLName: String] = [:], text: String = "", _ children: [XMLElement] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.children = children
    }
}

extension XMLElement {
    /// The first child called `name`.
    package func child(_ name: XMLName) -> XMLElement? { children.first { $0.name == name } }

    /// The children called `name`, in order.
    package func children(_ name: XMLName) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text without the white space of XML around it.
    package var trimmedText: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let bytes = text.utf8
        guard let start = bytes.firstIndex(where: { !isSpace($0) }), let end = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[start...end])
    }
}

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
