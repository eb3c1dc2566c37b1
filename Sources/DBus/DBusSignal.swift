/// A signal that was received, or is to be emitted.
package struct DBusSignal: Hashable, Sendable {
    /// The unique name of the sender; empty in one that is to be emitted, for the bus fills it in.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

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
