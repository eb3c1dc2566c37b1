import DBus
import DBusTestSupport
import Glibc
import NetworkTestSupport
import Synchronization
import Testing

/// Two connections of this process, or one and a foreign peer, and what happens when one of them goes.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DBusPeerTests {
    private let bus: TestBus
    private let caller: DBusConnection
    private let service: DBusConnection

    init() async throws {
        bus = try TestBus()
        caller = try await bus.connect()
        service = try await bus.connect()
    }

    private func call(
        _ member: String = "M", _ arguments: [DBusValue] = [], path: String = "/object",
        interface: String = "org.example.Service"
    ) async throws(DBusError) -> [DBusValue] {
        try await caller.call(
            service.uniqueName, path: path, interface: interface, member: member, arguments, timeout: .seconds(3600))
    }

    private func name(of error: DBusError?) -> String {
        if case .remote(let name, _)? = error { name } else { String(describing: error) }
    }

    @Test func `a call arrives with everything that was said`() async throws {
        let calls = Mutex<[DBusMethodCall]>([])
        service.export("/object") { call throws(DBusError) in
            calls.withLock { $0.append(call) }
            return call.arguments
        }
        for value in ExampleValues.all { #expect(try await call("Echo", [value]) == [value]) }
        #expect(try await call("Nothing") == [])
        let seen = calls.withLock(\.self)
        let last = try #require(seen.last)
        #expect(last.sender == caller.uniqueName && last.path == "/object" && last.member == "Nothing")
        #expect(last.interface == "org.example.Service" && last.arguments == [])
    }

    @Test func `descriptors travel, alone and inside of other values`() async throws {
        service.export("/object") { call throws(DBusError) in call.arguments }
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let reading = DBusDescriptor(adopting: ends[0])
        let writing = DBusDescriptor(adopting: ends[1])
        let sent: [DBusValue] = [
            .unixDescriptor(reading), .array(of: .unixDescriptor, [.unixDescriptor(reading)]),
            .variant(.structure([.byte(1), .unixDescriptor(reading)])),
        ]
        let received = try await call("Echo", sent)
        #expect(received.map(\.type) == sent.map(\.type))
        let found = [received[0], received[1].elements?.first, received[2].unwrapped.elements?.last]
        for (index, value) in found.enumerated() {
            guard case .unixDescriptor(let descriptor)? = value else {
                Issue.record("\(String(describing: value))")
                continue
            }
            #expect(descriptor.number != reading.number && fcntl(descriptor.number, F_GETFD) == FD_CLOEXEC)
            var byte = UInt8(index)
            #expect(write(writing.number, &byte, 1) == 1)
            var read: UInt8 = 99
            #expect(Glibc.read(descriptor.number, &read, 1) == 1 && read == UInt8(index))
        }
        // What was sent is still the sender's.
        #expect(fcntl(reading.number, F_GETFD) >= 0)
        let error = await #expect(throws: DBusError.self) {
            try await call("Echo", [.unixDescriptor(DBusDescriptor(adopting: -1))])
        }
        #expect(error != nil)
        #expect(try await call("Echo") == [])
    }

    @Test func `errors of a handler become errors of the call`() async throws {
        service.export("/object") { call throws(DBusError) in
            switch call.member {
            case "Named": throw .remote(name: "org.example.Error.Own", message: "said ż")
            case "Unnamed": throw .remote(name: "not a name", message: "x")
            case "Text": throw .remote(name: "org.example.Error.Own", message: "a\0b")
            case "Late": throw .timedOut
            default: return [.objectPath("not a path")]
            }
        }
        await #expect(throws: DBusError.remote(name: "org.example.Error.Own", message: "said ż")) {
            try await call("Named")
        }
        for member in ["Unnamed", "Text", "Late", "Invalid"] {
            let error = await #expect(throws: DBusError.self) { try await call(member) }
            #expect(name(of: error) == "org.freedesktop.DBus.Error.Failed", "\(member)")
        }
    }

    @Test func `what is not there is told apart`() async throws {
        service.export("/object") { call throws(DBusError) in [] }
        let missing = await #expect(throws: DBusError.self) { try await call(path: "/other") }
        #expect(name(of: missing) == "org.freedesktop.DBus.Error.UnknownObject")
        #expect(try await call("Ping", interface: "org.freedesktop.DBus.Peer") == [])
        service.withdraw("/object")
        let gone = await #expect(throws: DBusError.self) { try await call() }
        #expect(name(of: gone) == "org.freedesktop.DBus.Error.UnknownObject")
    }

    private actor Gate {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func wait() async {
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test func `more calls at once than a connection serves are refused, and the others answered`() async throws {
        let gate = Gate()
        service.export("/object") { call throws(DBusError) in
            await gate.wait()
            return call.arguments
        }
        let (answered, refused) = await withTaskGroup(of: DBusError?.self) { group in
            for number in Int32(0)..<70 {
                group.addTask {
                    do throws(DBusError) {
                        let answer = try await call("M", [.int32(number)])
                        return answer == [.int32(number)] ? nil : .cancelled
                    } catch {
                        return error
                    }
                }
            }
            var (answered, refused) = (0, 0)
            for await error in group {
                if error == nil {
                    answered += 1
                } else {
                    #expect(name(of: error) == "org.freedesktop.DBus.Error.LimitsExceeded")
                    refused += 1
                    if refused == 6 { await gate.open() }
                }
            }
            return (answered, refused)
        }
        #expect(answered == 64 && refused == 6)
        #expect(try await call("M", [.byte(1)]) == [.byte(1)])
    }

    @Test func `a peer that dies answers its calls with an error, and then it is missing`() async throws {
        let peer = try await bus.mock("peer.py", offering: "org.example.Peer")
        func call(_ member: String) async throws(DBusError) -> [DBusValue] {
            try await caller.call(
                "org.example.Peer", path: "/org/example/Peer", interface: "org.example.Peer", member: member,
                timeout: .seconds(3600))
        }
        let waiting = Task { try await call("Wait") }
        await #expect(throws: DBusError.remote(name: "org.example.Error.Broken", message: "it is broken")) {
            try await call("Fail")
        }
        peer.signal(SIGKILL)
        let error = await #expect(throws: DBusError.self) { try await waiting.value }
        #expect(error.map { name(of: $0) }.map { $0.hasSuffix(".NoReply") || $0.hasSuffix(".ServiceUnknown") } == true)
        let missing = await #expect(throws: DBusError.self) { try await call("Fail") }
        #expect(missing?.isServiceMissing == true)
    }

    @Test func `a name has one owner, and another one when the first goes`() async throws {
        #expect(try await service.requestName("org.example.Name"))
        #expect(try await service.requestName("org.example.Name"))
        let other = try await bus.connect()
        #expect(try await !other.requestName("org.example.Name"))
        let signals = try await caller.signals(matching: DBusMatchRule(sender: "org.example.Name", member: "Now"))
        func emit(_ number: Int32, from connection: DBusConnection) async throws(DBusError) {
            try await connection.emit(
                DBusSignal(path: "/x", interface: "org.example.I", member: "Now", arguments: [.int32(number)]))
        }
        try await emit(1, from: service)
        try await emit(-1, from: other)
        // The bus hands out what `service` sent before it goes.
        await service.close()
        while try await !other.requestName("org.example.Name") {}
        try await emit(2, from: other)
        var iterator = signals.makeAsyncIterator()
        #expect(try await iterator.next()?.arguments == [.int32(1)])
        #expect(try await iterator.next()?.arguments == [.int32(2)])
        let error = await #expect(throws: DBusError.self) { try await other.requestName("not a name") }
        #expect(name(of: error) == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    @Test func `a stream that is let go takes no more signals, and others go on`() async throws {
        let rule = DBusMatchRule(interface: "org.example.I")
        let kept = try await caller.signals(matching: rule, limit: 2)
        do {
            let dropped = try await caller.signals(matching: rule, limit: 1)
            _ = dropped
        }
        for number in Int32(1)...2 {
            try await service.emit(
                DBusSignal(path: "/x", interface: "org.example.I", member: "S", arguments: [.int32(number)]))
        }
        var iterator = kept.makeAsyncIterator()
        #expect(try await iterator.next()?.arguments == [.int32(1)])
        #expect(try await iterator.next()?.arguments == [.int32(2)])
    }

    @Test(arguments: [
        ("no path", "a.b", "C"), ("/x", "ab", "C"), ("/x", "a.b", "C D"), ("/x", "", "C"), ("/x", "a.b", ""),
    ])
    func `a malformed signal is not sent`(names: (String, String, String)) async throws {
        let error = await #expect(throws: DBusError.self) {
            try await service.emit(DBusSignal(path: names.0, interface: names.1, member: names.2))
        }
        guard case .invalid? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a closed connection refuses everything at once`() async throws {
        let signals = try await caller.signals(matching: DBusMatchRule(interface: "org.example.I"))
        await caller.close()
        await #expect(throws: DBusError.disconnected) { for try await _ in signals {} }
        await #expect(throws: DBusError.disconnected) { try await call() }
        await #expect(throws: DBusError.disconnected) { try await caller.requestName("org.example.Name") }
        await #expect(throws: DBusError.disconnected) {
            try await caller.emit(DBusSignal(path: "/x", interface: "a.b", member: "C"))
        }
        await #expect(throws: DBusError.disconnected) { try await caller.signals(matching: DBusMatchRule()) }
        caller.export("/x") { call throws(DBusError) in [] }
        caller.withdraw("/x")
    }

    @Test func `a task that is cancelled before its call makes none`() async throws {
        let count = Mutex(0)
        service.export("/object") { call throws(DBusError) in
            count.withLock { $0 += 1 }
            return []
        }
        let gate = Gate()
        let task = Task {
            await gate.wait()
            _ = try await call()
        }
        task.cancel()
        await gate.open()
        await #expect(throws: DBusError.cancelled) { try await task.value }
        _ = try await call()
        let total = count.withLock(\.self)
        #expect(total == 1)
    }
}
