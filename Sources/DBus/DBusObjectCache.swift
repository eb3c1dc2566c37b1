/// The objects that a service offers through `org.freedesktop.DBus.ObjectManager`, with their properties, as far as the
/// service has told.
///
/// It is filled by the reply to `GetManagedObjects` and kept up to date by signals, in the order in which they came.
package struct DBusObjectCache: Sendable {
    /// The properties of one interface of an object.
    package typealias Properties = [String: DBusValue]

    /// The difference that a message made.
    package enum Change: Hashable, Sendable {
        /// An object has an interface that it did not have.
        case added(path: String, interface: String)
        /// Properties of an interface have other values.
        case changed(path: String, interface: String, properties: Set<String>)
        /// An object has lost an interface, with its properties.
        case removed(path: String, interface: String)
    }

    /// The maximum number of objects; further ones are not taken up.
    package static let maximumObjects = 10_000
    /// The maximum number of properties of an interface; further ones are not taken up.
    package static let maximumProperties = 1000

    /// The properties by path and interface.
    package private(set) var objects: [String: [String: Properties]] = [:]

    package init() {}

    /// The properties of an interface of the object at `path`; nil if it is not there.
    package func properties(of path: String, _ interface: String) -> Properties? { objects[path]?[interface] }

    /// The unwrapped value of a property; nil if it is not there.
    package func value(_ property: String, of path: String, _ interface: String) -> DBusValue? {
        objects[path]?[interface]?[property]?.unwrapped
    }

    /// The paths of the objects that have an interface, below `parent` if it is given, in alphabetical order.
    package func paths(with interface: String, below parent: String? = nil) -> [String] {
        let prefix = parent.map { $0 == "/" ? "/" : $0 + "/" }
        return objects.filter { path, interfaces in
            interfaces[interface] != nil && prefix.map(path.hasPrefix) ?? true
        }.keys.sorted()
    }

    /// Replaces everything by the reply to `GetManagedObjects`, `a{oa{sa{sv}}}`. Throws `invalid` if it is something else.
    package mutating func load(_ reply: [DBusValue]) throws(DBusError) -> [Change] {
        guard reply.count == 1, case .dictionary(.objectPath, _, let entries) = reply[0] else {
            throw .invalid("GetManagedObjects did not return objects")
        }
        let before = objects
        objects = [:]
        for (path, interfaces) in entries.sorted(by: { ($0.key.text ?? "") < ($1.key.text ?? "") }) {
            guard let path = path.text else { continue }
            add(Self.interfaces(interfaces), to: path)
        }
        return Self.changes(from: before, to: objects)
    }

    /// Takes up a signal of the service; others are ignored.
    package mutating func apply(_ signal: DBusSignal) -> [Change] {
        switch (signal.interface, signal.member, signal.arguments.count) {
        case (Self.manager, "InterfacesAdded", 2):
            guard let path = signal.arguments[0].text else { return [] }
            return update(path) { cache in cache.add(Self.interfaces(signal.arguments[1]), to: path) }
        case (Self.manager, "InterfacesRemoved", 2):
            guard let path = signal.arguments[0].text else { return [] }
            return update(path) { cache in
                for name in signal.arguments[1].elements?.compactMap(\.text) ?? [] {
                    cache.objects[path]?[name] = nil
                }
                if cache.objects[path]?.isEmpty == true { cache.objects[path] = nil }
            }
        case (Self.properties, "PropertiesChanged", 3):
            return change(signal)
        default: return []
        }
    }

    /// The interface that announces objects.
    static let manager = "org.freedesktop.DBus.ObjectManager"
    /// The interface that announces values of properties.
    static let properties = "org.freedesktop.DBus.Properties"

    /// Whether a signal announces objects or properties.
    package static func concerns(_ signal: DBusSignal) -> Bool {
        switch (signal.interface, signal.member) {
        case (manager, "InterfacesAdded"), (manager, "InterfacesRemoved"), (properties, "PropertiesChanged"): true
        default: false
        }
    }

    /// Applies new values; a property that is only said to have changed has no known value any more.
    private mutating func change(_ signal: DBusSignal) -> [Change] {
        let path = signal.path
        guard let interface = signal.arguments[0].text, var properties = objects[path]?[interface] else { return [] }
        var changed: Set<String> = []
        for (name, value) in Self.properties(signal.arguments[1]) {
            guard properties[name] != nil || properties.count < Self.maximumProperties else { continue }
            if properties.updateValue(value, forKey: name) != value { changed.insert(name) }
        }
        for name in signal.arguments[2].elements?.compactMap(\.text) ?? []
        where properties.removeValue(forKey: name) != nil { changed.insert(name) }
        objects[path]?[interface] = properties
        return changed.isEmpty ? [] : [.changed(path: path, interface: interface, properties: changed)]
    }

    private mutating func update(_ path: String, _ body: (inout DBusObjectCache) -> Void) -> [Change] {
        let before = objects[path]
        body(&self)
        return Self.changes(from: before.map { [path: $0] } ?? [:], to: objects[path].map { [path: $0] } ?? [:])
    }

    private mutating func add(_ interfaces: [String: Properties], to path: String) {
        guard !interfaces.isEmpty, objects[path] != nil || objects.count < Self.maximumObjects else { return }
        objects[path, default: [:]].merge(interfaces) { $1 }
    }

    private static func interfaces(_ value: DBusValue) -> [String: Properties] {
        var interfaces: [String: Properties] = [:]
        for (name, properties) in value.entries ?? [:] {
            if let name = name.text { interfaces[name] = self.properties(properties) }
        }
        return interfaces
    }

    private static func properties(_ value: DBusValue) -> Properties {
        var properties: Properties = [:]
        for (name, value) in value.entries ?? [:] where properties.count < maximumProperties {
            if let name = name.text { properties[name] = value.unwrapped }
        }
        return properties
    }

    private static func changes(
        from before: [String: [String: Properties]], to after: [String: [String: Properties]]
    ) -> [Change] {
        var changes: [Change] = []
        for path in Set(before.keys).union(after.keys).sorted() {
            let (old, new) = (before[path] ?? [:], after[path] ?? [:])
            for interface in Set(old.keys).union(new.keys).sorted() {
                switch (old[interface], new[interface]) {
                case (nil, .some): changes.append(.added(path: path, interface: interface))
                case (.some, nil): changes.append(.removed(path: path, interface: interface))
                case (let old?, let new?):
                    let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
                    if !names.isEmpty {
                        changes.append(.changed(path: path, interface: interface, properties: names))
                    }
                case (nil, nil): break
                }
            }
        }
        return changes
    }
}
