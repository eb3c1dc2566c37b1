/// A method call: one that is made, or one that came in for an exported object.
package struct DBusMethodCall: Hashable, Sendable {
    /// The bus name of the caller; empty in an outgoing call.
    package var sender: String
    /// The bus name of the callee; empty in an incoming call.
    package var destination: String
    /// The object path, such as `/org/freedesktop/secrets`.
    package var path: String
    /// Empty when the caller named none.
    package var interface: String
    /// The name of the method.
    package var member: String
    /// The arguments in the order of the method's signature.
    package var arguments: [DBusValue]

    package init(
        sender: String = "", destination: String = "", path: String, interface: String, member: String,
        arguments: [DBusValue] = []
    ) {
        self.sender = sender
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
