import Testing

@testable import DBus

struct DBusObjectTreeTests {
    private let tree = DBusObjectTree([
        "/app/service": ["org.bluez.GattService1": ["UUID": .string("1805"), "Primary": .boolean(true)]]
    ])

    private func call(
        _ interface: String, _ member: String, _ arguments: [DBusValue] = [], path: String = "/app/service"
    ) throws(DBusError) -> [DBusValue]? {
        try tree.answer(DBusMethodCall(path: path, interface: interface, member: member, arguments: arguments))
    }

    private func property(_ member: String, _ arguments: DBusValue...) throws(DBusError) -> [DBusValue]? {
        try call(DBusObjectCache.properties, member, arguments)
    }

    @Test func `what a tree tells is what a cache takes up`() throws {
        let reply = try #require(try call(DBusObjectCache.manager, "GetManagedObjects", path: "/app"))
        #expect(reply.map(\.type.code) == ["a{oa{sa{sv}}}"])
        var cache = DBusObjectCache()
        _ = try cache.load(reply)
        #expect(cache.objects == tree.objects)
        #expect(DBusObjectTree().managed.type.code == "a{oa{sa{sv}}}")
    }

    @Test func `properties are read one by one and together`() throws {
        let name = DBusValue.string("org.bluez.GattService1")
        #expect(try property("Get", name, .string("UUID")) == [.variant(.string("1805"))])
        let all = try #require(try property("GetAll", name)?.first)
        #expect(all.type.code == "a{sv}" && all["Primary"]?.truth == true && all["UUID"]?.text == "1805")
    }

    @Test func `what is not there has the error of the specification`() throws {
        let name = DBusValue.string("org.bluez.GattService1")
        for (arguments, member, error) in [
            ([name, .string("Other")], "Get", "UnknownProperty"), ([name, .byte(1)], "Get", "UnknownProperty"),
            ([.string("org.example.None")], "GetAll", "UnknownInterface"), ([], "GetAll", "UnknownInterface"),
            ([.byte(1)], "GetAll", "UnknownInterface"),
            ([name, .string("UUID"), .variant(.string("x"))], "Set", "PropertyReadOnly"),
            ([name], "Get", "UnknownMethod"), ([name], "Other", "UnknownMethod"),
        ] as [([DBusValue], String, String)] {
            let thrown = #expect(throws: DBusError.self) { try call(DBusObjectCache.properties, member, arguments) }
            guard case .remote(let found, _)? = thrown else {
                Issue.record("\(String(describing: thrown))")
                continue
            }
            #expect(found == "org.freedesktop.DBus.Error.\(error)", "\(member)")
        }
        let elsewhere = #expect(throws: DBusError.self) {
            try call(DBusObjectCache.properties, "GetAll", [name], path: "/other")
        }
        #expect(elsewhere != nil)
    }

    @Test func `calls of other interfaces are left to the object`() throws {
        #expect(try call("org.bluez.GattService1", "ReadValue") == nil)
        #expect(try call(DBusObjectCache.manager, "Other") == nil)
        #expect(try call("", "GetManagedObjects") == nil)
    }
}
