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
