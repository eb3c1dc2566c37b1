import TestSupport
import Testing

@testable import DBus

/// Messages of `ObjectManager` and `Properties`, as BlueZ sends them.
private enum Message {
    static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"

    static func reply(_ objects: [String: [String: DBusObjectCache.Properties]]) -> [DBusValue] {
        [DBusObjectTree(objects).managed]
    }

    static func added(_ path: String, _ interfaces: [String: DBusObjectCache.Properties]) -> DBusSignal {
        DBusObjectTree([path: interfaces]).added(path, below: "/")
    }

    static func removed(_ path: String, _ interfaces: String...) -> DBusSignal {
        DBusObjectTree.removed(interfaces, of: path, below: "/")
    }
}

struct DBusObjectCacheTests {
    private let paths = (adapter: "/org/bluez/hci0", near: "/org/bluez/hci0/dev_1", far: "/org/bluez/hci1/dev_2")

    private func loaded() throws -> DBusObjectCache {
        var cache = DBusObjectCache()
        let changes = try cache.load(
            Message.reply([
                paths.near: [Message.device: ["Name": .string("dict"), "RSSI": .int16(-40)]],
                paths.far: [Message.device: [:], Message.battery: ["Percentage": .byte(80)]],
            ]))
        #expect(
            changes == [
                .added(path: paths.near, interface: Message.device),
                .added(path: paths.far, interface: Message.battery),
                .added(path: paths.far, interface: Message.device),
            ])
        return cache
    }

    @Test func `all objects are found by path, interface and parent`() throws {
        let cache = try loaded()
        #expect(cache.paths(with: Message.device) == [paths.near, paths.far])
        #expect(cache.paths(with: Message.device, below: paths.adapter) == [paths.near])
        #expect(cache.paths(with: Message.device, below: "/org/bluez/hci") == [])
        #expect(cache.paths(with: Message.battery, below: "/") == [paths.far])
        #expect(cache.value("Name", of: paths.near, Message.device)?.text == "dict")
        #expect(cache.value("Percentage", of: paths.far, Message.battery)?.integer == 80)
        #expect(cache.value("Name", of: paths.far, Message.device) == nil)
        #expect(cache.properties(of: paths.far, Message.device) == [:])
        #expect(cache.properties(of: "/none", Message.device) == nil)
    }

    @Test func `an interface is added to an object that is there, and to a new one`() throws {
        var cache = try loaded()
        #expect(
            cache.apply(Message.added(paths.near, [Message.battery: ["Percentage": .byte(7)]]))
                == [.added(path: paths.near, interface: Message.battery)])
        #expect(cache.value("RSSI", of: paths.near, Message.device)?.integer == -40)
        #expect(
            cache.apply(Message.added("/new", [Message.device: [:]]))
                == [.added(path: "/new", interface: Message.device)])
        // Again, with another value.
        #expect(
            cache.apply(Message.added(paths.near, [Message.battery: ["Percentage": .byte(6)]]))
                == [.changed(path: paths.near, interface: Message.battery, properties: ["Percentage"])])
        #expect(cache.apply(Message.added(paths.near, [Message.battery: ["Percentage": .byte(6)]])) == [])
        #expect(cache.apply(Message.added("/empty", [:])) == [])
        #expect(cache.objects["/empty"] == nil)
    }

    @Test func `an object goes with its last interface`() throws {
        var cache = try loaded()
        #expect(
            cache.apply(Message.removed(paths.far, Message.battery, "org.example.Unknown"))
                == [.removed(path: paths.far, interface: Message.battery)])
        #expect(cache.objects[paths.far] != nil)
        #expect(
            cache.apply(Message.removed(paths.far, Message.device))
                == [.removed(path: paths.far, interface: Message.device)])
        #expect(cache.objects[paths.far] == nil)
        #expect(cache.apply(Message.removed(paths.far, Message.device)) == [])
    }

    @Test func `a property gets a value, another value, and loses it`() throws {
        var cache = try loaded()
        func change(_ values: DBusObjectCache.Properties, _ invalidated: [String] = []) -> [DBusObjectCache.Change] {
            cache.apply(DBusObjectTree.changed(values, invalidated: invalidated, of: Message.device, at: paths.near))
        }
        #expect(
            change(["RSSI": .int16(-41), "Name": .string("dict"), "Paired": .boolean(true)])
                == [.changed(path: paths.near, interface: Message.device, properties: ["RSSI", "Paired"])])
        #expect(change(["RSSI": .int16(-41)]) == [])
        #expect(
            change([:], ["RSSI", "Unknown"])
                == [.changed(path: paths.near, interface: Message.device, properties: ["RSSI"])])
        #expect(cache.value("RSSI", of: paths.near, Message.device) == nil)
        // Of an object or interface that is not there, nothing is kept.
        #expect(cache.apply(DBusObjectTree.changed(["A": .byte(1)], of: Message.battery, at: paths.near)) == [])
        #expect(cache.apply(DBusObjectTree.changed(["A": .byte(1)], of: Message.device, at: "/none")) == [])
        #expect(cache.objects["/none"] == nil)
    }

    @Test func `loading again tells what has changed in between`() throws {
        var cache = try loaded()
        let changes = try cache.load(
            Message.reply([
                paths.near: [Message.device: ["Name": .string("other")]], "/new": [Message.device: [:]],
            ]))
        #expect(
            Set(changes) == [
                .added(path: "/new", interface: Message.device),
                .changed(path: paths.near, interface: Message.device, properties: ["Name", "RSSI"]),
                .removed(path: paths.far, interface: Message.device),
                .removed(path: paths.far, interface: Message.battery),
            ])
        #expect(try cache.load(Message.reply([:])).count == 2)
        #expect(cache.objects.isEmpty)
    }

    @Test(
        arguments: [
            [], [.string("x")], [.properties([:])], [.strings(["a"])],
            [.dictionary(key: .objectPath, value: .byte, [:]), .byte(1)],
        ] as [[DBusValue]])
    func `a reply of another shape is refused, and nothing is lost`(reply: [DBusValue]) throws {
        var cache = try loaded()
        let before = cache.objects
        #expect(throws: DBusError.self) { try cache.load(reply) }
        #expect(cache.objects == before)
    }

    private static let odd: [DBusSignal] = [
        DBusSignal(path: "/", interface: DBusObjectCache.manager, member: "InterfacesAdded"),
        DBusSignal(
            path: "/", interface: DBusObjectCache.manager, member: "InterfacesAdded",
            arguments: [.byte(1), .properties([:])]),
        DBusSignal(
            path: "/", interface: DBusObjectCache.manager, member: "InterfacesAdded",
            arguments: [.objectPath("/x"), .string("none")]),
        DBusSignal(
            path: "/", interface: DBusObjectCache.manager, member: "InterfacesRemoved",
            arguments: [.objectPath("/org/bluez/hci0/dev_1"), .array(of: .byte, [.byte(1)])]),
        DBusSignal(
            path: "/org/bluez/hci0/dev_1", interface: DBusObjectCache.properties, member: "PropertiesChanged",
            arguments: [.byte(1), .properties([:]), .strings([])]),
        DBusSignal(
            path: "/org/bluez/hci0/dev_1", interface: DBusObjectCache.properties, member: "PropertiesChanged",
            arguments: [.string(Message.device), .strings(["Name"]), .byte(1)]),
        DBusSignal(path: "/", interface: "org.example", member: "PropertiesChanged"),
    ]

    @Test(arguments: odd)
    func `a signal with other arguments changes nothing`(signal: DBusSignal) throws {
        var cache = try loaded()
        let before = cache.objects
        #expect(cache.apply(signal) == [])
        #expect(cache.objects == before)
    }

    @Test func `the number of objects and of their properties is limited`() throws {
        var cache = DBusObjectCache()
        for number in 0...DBusObjectCache.maximumObjects {
            _ = cache.apply(Message.added("/o\(number)", [Message.device: [:]]))
        }
        #expect(cache.objects.count == DBusObjectCache.maximumObjects)
        // One that is there still changes.
        #expect(cache.apply(Message.added("/o1", [Message.battery: [:]])).count == 1)
        #expect(cache.apply(Message.removed("/o1", Message.battery, Message.device)).count == 2)
        #expect(cache.apply(Message.added("/free", [Message.battery: [:]])).count == 1)

        let many = (0..<DBusObjectCache.maximumProperties).reduce(into: DBusObjectCache.Properties()) {
            $0["p\($1)"] = .int32(0)
        }
        _ = cache.apply(DBusObjectTree.changed(many, of: Message.battery, at: "/free"))
        #expect(cache.apply(DBusObjectTree.changed(["more": .int32(1)], of: Message.battery, at: "/free")) == [])
        #expect(cache.apply(DBusObjectTree.changed(["p1": .int32(1)], of: Message.battery, at: "/free")).count == 1)
        #expect(cache.properties(of: "/free", Message.battery)?.count == DBusObjectCache.maximumProperties)
    }

    /// Whatever comes in whatever order, the changes that were told lead to the objects that are there.
    @Test func `the changes of random signals add up to the objects`() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<50 {
            var cache = DBusObjectCache()
            var told: Set<[String]> = []
            for _ in 0..<100 {
                let path = "/\(Int.random(in: 0..<4, using: &random))"
                let interface = "i\(Int.random(in: 0..<3, using: &random))"
                let value: DBusObjectCache.Properties = ["p": .byte(.random(in: 0..<3, using: &random))]
                let changes: [DBusObjectCache.Change] =
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: cache.apply(Message.added(path, [interface: value]))
                    case 1: cache.apply(Message.removed(path, interface))
                    case 2: cache.apply(DBusObjectTree.changed(value, of: interface, at: path))
                    default: try cache.load(Message.reply([path: [interface: value]]))
                    }
                for change in changes {
                    switch change {
                    case .added(let path, let interface): #expect(told.insert([path, interface]).inserted)
                    case .removed(let path, let interface): #expect(told.remove([path, interface]) != nil)
                    case .changed(let path, let interface, _): #expect(told.contains([path, interface]))
                    }
                }
                let there = cache.objects.flatMap { path, interfaces in interfaces.keys.map { [path, $0] } }
                #expect(Set(there) == told)
            }
        }
    }
}
