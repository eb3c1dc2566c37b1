/// A signal that was received, or is to be emitted.
package struct DBusSignal: Hashable, Sendable {
    /// The unique name of the sender; empty in one that is to be emitted, for the bus fills it in.
    package var sender: String
    /// The path of the object that emitted the signal.
    package var path: String
    /// The interface that declares the signal.
    package var interface: String
    /// The name of the signal.
    package var member: String
    /// The arguments in the order of the signal's signature.
    package var arguments: [DBusValue]
    /// The number of messages that the connection had received with it; 0 in one that is to be emitted.
    package internal(set) var order: UInt64 = 0

    package init(
        sender: String = "", path: String, interface: String, member: String, arguments: [DBusValue] = []
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// Which signals a subscriber wants; a field left out matches everything (D-Bus specification, "Match Rules").
package struct DBusMatchRule: Hashable, Sendable {
    /// The sender's bus name; a well-known name means its owner at the time of the signal.
    package var sender: String?
    /// The object that emits.
    package var path: String?
    /// The object that emits, or any object below it.
    package var pathNamespace: String?
    /// The interface of the signal; nil for any.
    package var interface: String?
    /// The name of the signal; nil for any.
    package var member: String?
    /// The first argument, when it is a string.
    package var firstArgument: String?

    package init(
        sender: String? = nil, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
        member: String? = nil, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    /// The rule as the bus reads it.
    package var text: String {
        let fields = [
            ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface),
            ("member", member), ("arg0", firstArgument),
        ]
        let parts = fields.compactMap { name, value in value.map { "\(name)=\(DBusMatchRule.quoted($0))" } }
        return (["type='signal'"] + parts).joined(separator: ",")
    }

    /// Whether a signal matches, except for its sender, which requires knowledge of name owners.
    func matches(_ signal: DBusSignal) -> Bool {
        (path == nil || path == signal.path) && (interface == nil || interface == signal.interface)
            && (member == nil || member == signal.member) && pathNamespace.map(signal.isBelow) != false
            && (firstArgument == nil || signal.arguments.first == firstArgument.map(DBusValue.string))
    }

    /// An apostrophe ends the quotes, follows escaped, and opens them again.
    private static func quoted(_ value: String) -> String {
        "'"
            + value.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
            .joined(separator: "'\\''") + "'"
    }
}

extension DBusSignal {
    fileprivate func isBelow(_ namespace: String) -> Bool {
        path == namespace || namespace == "/" || path.hasPrefix(namespace + "/")
    }
}
