/// Objects that this process offers below one path, with their properties: the answers to `ObjectManager` and
/// `Properties`.
///
/// BlueZ asks for such a tree when an application registers its services, and so do others.
package struct DBusObjectTree: Sendable {
    /// The properties by path and interface.
    package var objects: [String: [String: DBusObjectCache.Properties]]

    /// Creates a tree.
    package init(_ objects: [String: [String: DBusObjectCache.Properties]] = [:]) { self.objects = objects }

    /// The value of `GetManagedObjects`, `a{oa{sa{sv}}}`.
    package var managed: DBusValue {
        var entries: [DBusValue: DBusValue] = [:]
        for (path, interfaces) in objects { entries[.objectPath(path)] = Self.value(interfaces) }
        return .dictionary(
            key: .objectPath,
            value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)), entries)
    }

    /// Answers a call of `ObjectManager` or `Properties`; nil for a call of another interface, which is the object's own.
    /// Throws the error of the specification for what is not there; properties are read-only.
    package func answer(_ call: DBusMethodCall) throws(DBusError) -> [DBusValue]? {
        switch (call.interface, call.member) {
        case (DBusObjectCache.manager, "GetManagedObjects"): return [managed]
        case (DBusObjectCache.properties, let member):
            guard let name = call.arguments.first?.text, let properties = objects[call.path]?[name] else {
                throw Self.error("UnknownInterface", "\(call.path) has no such interface")
            }
            switch (member, call.arguments.count) {
            case ("GetAll", 1): return [.properties(properties)]
            case ("Get", 2):
                guard let value = call.arguments[1].text.flatMap({ properties[$0] }) else {
                    throw Self.error("UnknownProperty", "\(name) has no such property")
                }
                return [.variant(value)]
            case ("Set", 3): throw Self.error("PropertyReadOnly", "properties of \(name) cannot be set")
            default: throw Self.error("UnknownMethod", "no method named \(member)")
            }
        default: return nil
        }
    }

    /// The signal that says that an object was added.
    package func added(_ path: String, below root: String) -> DBusSignal {
        DBusSignal(
            path: root, interface: DBusObjectCache.manager, member: "InterfacesAdded",
            arguments: [.objectPath(path), Self.value(objects[path] ?? [:])])
    }

    /// The signal that says that interfaces of an object were removed.
    package static func removed(_ interfaces: [String], of path: String, below root: String) -> DBusSignal {
        DBusSignal(
            path: root, interface: DBusObjectCache.manager, member: "InterfacesRemoved",
            arguments: [.objectPath(path), .strings(interfaces)])
    }

    /// The signal that says that properties have other values.
    package static func changed(
        _ properties: DBusObjectCache.Properties, invalidated: [String] = [], of interface: String, at path: String
    ) -> DBusSignal {
        DBusSignal(
            path: path, interface: DBusObjectCache.properties, member: "PropertiesChanged",
            arguments: [.string(interface), .properties(properties), .strings(invalidated)])
    }

    private static func value(_ interfaces: [String: DBusObjectCache.Properties]) -> DBusValue {
        var entries: [DBusValue: DBusValue] = [:]
        for (name, properties) in interfaces { entries[.string(name)] = .properties(properties) }
        return .dictionary(key: .string, value: .dictionary(key: .string, value: .variant), entries)
    }

    private static func error(_ name: String, _ message: String) -> DBusError {
        .remote(name: "org.freedesktop.DBus.Error.\(name)", message: message)
    }
}
