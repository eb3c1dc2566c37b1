import Testing

@testable import DBus

struct PendingCallsTests {
    private let now = ContinuousClock.now

    private func pending(_ deadlines: [Int]) -> PendingCalls<String> {
        var calls = PendingCalls<String>()
        for (index, seconds) in deadlines.enumerated() {
            calls.add(
                serial: UInt32(index + 1), id: UInt64(index + 100), deadline: now + .seconds(seconds),
                reply: "reply \(index + 1)")
        }
        return calls
    }

    @Test func `an answer finds its call once`() {
        var calls = pending([10, 20])
        #expect(calls.answered(serial: 2) == "reply 2")
        #expect(calls.answered(serial: 2) == nil)
        #expect(calls.answered(serial: 9) == nil)
        #expect(!calls.isEmpty)
        #expect(calls.answered(serial: 1) == "reply 1")
        #expect(calls.isEmpty && calls.nextDeadline == nil)
    }

    @Test func `calls end at their deadlines, and the next deadline is the earliest`() {
        var calls = pending([30, 10, 20])
        #expect(calls.nextDeadline == now + .seconds(10))
        #expect(calls.expired(at: now + .seconds(9)) == [])
        #expect(Set(calls.expired(at: now + .seconds(20))) == ["reply 2", "reply 3"])
        #expect(calls.nextDeadline == now + .seconds(30))
        #expect(calls.answered(serial: 2) == nil)
    }

    @Test func `a cancelled call is forgotten, and its late answer belongs to nothing`() {
        var calls = pending([10, 20])
        #expect(calls.cancelled(id: 101) == "reply 2")
        #expect(calls.cancelled(id: 101) == nil)
        #expect(calls.answered(serial: 2) == nil)
        #expect(calls.removeAll() == ["reply 1"])
        #expect(calls.isEmpty && calls.removeAll().isEmpty)
    }
}

struct SignalRouterTests {
    private func signal(
        _ member: String = "Changed", from sender: String = ":1.5", path: String = "/a/b", _ arguments: [DBusValue] = []
    ) -> DBusSignal {
        DBusSignal(sender: sender, path: path, interface: "org.example.A", member: member, arguments: arguments)
    }

    private func ownerChange(of name: String, to owner: String, from sender: String = "org.freedesktop.DBus")
        -> DBusSignal
    {
        DBusSignal(
            sender: sender, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", arguments: [.string(name), .string(""), .string(owner)])
    }

    @Test(arguments: [
        (DBusMatchRule(), true), (DBusMatchRule(sender: ":1.5"), true), (DBusMatchRule(sender: ":1.6"), false),
        (DBusMatchRule(path: "/a/b"), true), (DBusMatchRule(path: "/a"), false),
        (DBusMatchRule(pathNamespace: "/a"), true), (DBusMatchRule(pathNamespace: "/a/b"), true),
        (DBusMatchRule(pathNamespace: "/"), true), (DBusMatchRule(pathNamespace: "/a/"), false),
        (DBusMatchRule(pathNamespace: "/a/bc"), false), (DBusMatchRule(pathNamespace: "/a/b/c"), false),
        (DBusMatchRule(interface: "org.example.A"), true), (DBusMatchRule(interface: "org.example.B"), false),
        (DBusMatchRule(member: "Changed"), true), (DBusMatchRule(member: "changed"), false),
        (DBusMatchRule(firstArgument: "x"), true), (DBusMatchRule(firstArgument: "y"), false),
        (DBusMatchRule(sender: ":1.5", path: "/a/b", interface: "org.example.A", member: "Gone"), false),
    ])
    func `a rule is for the signals that have all its fields`(rule: DBusMatchRule, isFor: Bool) {
        var router = SignalRouter()
        router.add(rule, for: 7)
        #expect(router.receivers(of: signal([.string("x")])) == (isFor ? [7] : []))
    }

    private func signal(_ arguments: [DBusValue]) -> DBusSignal { signal("Changed", arguments) }

    @Test func `the first argument counts only as a string`() {
        var router = SignalRouter()
        router.add(DBusMatchRule(firstArgument: "/x"), for: 1)
        #expect(router.receivers(of: signal([.objectPath("/x")])) == [])
        #expect(router.receivers(of: signal([.variant(.string("/x"))])) == [])
        #expect(router.receivers(of: signal([])) == [])
        #expect(router.receivers(of: signal([.string("/x"), .byte(1)])) == [1])
    }

    @Test func `a well-known name means its owner at that time`() {
        var router = SignalRouter()
        router.add(DBusMatchRule(sender: "org.example.Name"), for: 1)
        #expect(router.receivers(of: signal(from: ":1.5")) == [])
        router.learn(owner: ":1.5", of: "org.example.Name")
        #expect(router.receivers(of: signal(from: ":1.5")) == [1])
        #expect(router.receivers(of: ownerChange(of: "org.example.Name", to: ":1.9")) == [])
        #expect(router.receivers(of: signal(from: ":1.5")) == [])
        #expect(router.receivers(of: signal(from: ":1.9")) == [1])
        _ = router.receivers(of: ownerChange(of: "org.example.Name", to: ""))
        #expect(router.receivers(of: signal(from: ":1.9")) == [])
        #expect(router.receivers(of: signal(from: "")) == [])
    }

    @Test func `a change of owner that was seen is newer than what was asked before`() {
        var router = SignalRouter()
        router.add(DBusMatchRule(sender: "org.example.Name"), for: 1)
        _ = router.receivers(of: ownerChange(of: "org.example.Name", to: ":1.9"))
        router.learn(owner: ":1.5", of: "org.example.Name")
        #expect(router.receivers(of: signal(from: ":1.9")) == [1])
        #expect(router.receivers(of: signal(from: ":1.5")) == [])
    }

    @Test func `only the bus says who owns a name`() {
        var router = SignalRouter()
        router.add(DBusMatchRule(sender: "org.example.Name"), for: 1)
        router.learn(owner: ":1.5", of: "org.example.Name")
        _ = router.receivers(of: ownerChange(of: "org.example.Name", to: ":1.66", from: ":1.66"))
        #expect(router.receivers(of: signal(from: ":1.66")) == [])
        // Changes that say less, or other types, are of no name.
        var broken = ownerChange(of: "org.example.Name", to: ":1.66")
        broken.arguments.removeLast()
        _ = router.receivers(of: broken)
        broken.arguments = [.string("org.example.Name"), .string(""), .uint32(1)]
        _ = router.receivers(of: broken)
        #expect(router.receivers(of: signal(from: ":1.5")) == [1])
    }

    @Test func `what is learnt of a name is forgotten with its last rule`() throws {
        var router = SignalRouter()
        let rule = DBusMatchRule(sender: "org.example.Name")
        router.add(rule, for: 1)
        router.add(rule, for: 2)
        router.learn(owner: ":1.5", of: "org.example.Name")
        #expect(router.receivers(of: signal(from: ":1.5")) == [1, 2])
        #expect(router.remove(1) == [rule])
        #expect(router.remove(1) == [])
        #expect(router.receivers(of: signal(from: ":1.5")) == [2])
        #expect(router.remove(2) == [rule])
        router.add(rule, for: 3)
        #expect(router.receivers(of: signal(from: ":1.5")) == [])
        router.learn(owner: ":1.6", of: "org.example.Name")
        #expect(router.receivers(of: signal(from: ":1.6")) == [3])
    }
}

struct DBusWordTests {
    @Test(arguments: [
        (DBusMatchRule(), "type='signal'"),
        (
            DBusMatchRule(sender: "a.b", path: "/c", interface: "d.e", member: "F", firstArgument: "g"),
            "type='signal',sender='a.b',path='/c',interface='d.e',member='F',arg0='g'"
        ),
        (DBusMatchRule(pathNamespace: "/c"), "type='signal',path_namespace='/c'"),
        (DBusMatchRule(firstArgument: "it's, 'x'"), "type='signal',arg0='it'\\''s, '\\''x'\\'''"),
        // An apostrophe with a combining mark is one character with it, and an apostrophe all the same.
        (DBusMatchRule(firstArgument: "a'\u{301}b"), "type='signal',arg0='a'\\''\u{301}b'"),
    ])
    func `a rule as the bus reads it`(rule: DBusMatchRule, text: String) {
        #expect(Array(rule.text.utf8) == Array(text.utf8))
    }

    @Test func `addresses are kept as far as they are sockets`() throws {
        #expect(
            try DBusAddress("autolaunch:;unix:path=/x;unixexec:path=y;tcp:host=z").text == "unix:path=/x;tcp:host=z")
        #expect(DBusAddress.escaped("/a b;c=ż%\\*_-.9") == "/a%20b%3bc%3d%c5%bc%25\\*_-.9")
        #expect(throws: DBusError.self) { try DBusAddress.session { $0 == "XDG_RUNTIME_DIR" ? "relative" : nil } }
        #expect(try DBusAddress.system { _ in nil }.text.hasPrefix("unix:path=/"))
        #expect(try DBusAddress.system { $0 == "DBUS_SYSTEM_BUS_ADDRESS" ? "tcp:host=a" : nil }.text == "tcp:host=a")
    }

    private static let numbers: [(value: DBusValue, number: Int?)] = [
        (.byte(255), 255), (.int16(-2), -2), (.uint16(65535), 65535), (.int32(.min), Int(Int32.min)),
        (.uint32(.max), Int(UInt32.max)), (.int64(.min), .min), (.uint64(7), 7), (.uint64(.max), nil),
        (.double(1), nil),
        (.boolean(true), nil), (.variant(.variant(.int32(5))), 5), (.string("5"), nil),
    ]

    @Test(arguments: numbers)
    func `a number of any integer type that fits`(value: DBusValue, number: Int?) {
        #expect(value.integer == number)
    }

    @Test func `values are read through variants, and as nothing else than they are`() {
        let value = DBusValue.properties(["a": .strings(["x", "y"]), "b": .variant(.boolean(true)), "c": .bytes([1])])
        #expect(value["a"]?.elements?.compactMap(\.text) == ["x", "y"])
        #expect(value["b"]?.truth == true && value["c"]?.data == [1] && value["d"] == nil)
        #expect(value.text == nil && value.elements == nil && value.entries?.count == 3)
        #expect(DBusValue.texts(["k": "v"])["k"]?.text == "v")
        #expect(DBusValue.structure([.byte(1)]).elements == [.byte(1)] && DBusValue.byte(1)["x"] == nil)
        let paths = DBusValue.dictionary(key: .objectPath, value: .byte, [.objectPath("/x"): .byte(3)])
        #expect(paths["/x"]?.integer == 3 && paths["x"] == nil)
        #expect(DBusValue.objectPath("/x").text == "/x" && DBusValue.signature("as").text == "as")
    }

    @Test(arguments: [
        ("org.freedesktop.DBus.Error.ServiceUnknown", true), ("org.freedesktop.DBus.Error.NameHasNoOwner", true),
        ("org.freedesktop.DBus.Error.NoReply", false), ("ServiceUnknown", false),
    ])
    func `a missing service is told by the name of the error`(name: String, isMissing: Bool) {
        #expect(DBusError.remote(name: name, message: "").isServiceMissing == isMissing)
        #expect(!DBusError.timedOut.isServiceMissing)
        #expect("\(DBusError.remote(name: name, message: ""))" == name)
        #expect("\(DBusError.remote(name: name, message: "why"))" == "why (\(name))")
    }
}
