import TestSupport
import Testing

@testable import DBus

/// The pure parts of a connection against the plainest models of them, with random events.
struct DBusModelTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a call ends once: by its answer, its deadline, its caller or the end`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = ContinuousClock.now
        var calls = PendingCalls<Int>()
        var model: [(serial: UInt32, id: UInt64, deadline: Int)] = []
        var now = 0
        for number in 0..<400 {
            let chosen = model.randomElement(using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let deadline = now + Int.random(in: 1...50, using: &random)
                calls.add(
                    serial: UInt32(number), id: UInt64(number) * 7, deadline: start + .seconds(deadline), reply: number)
                model.append((UInt32(number), UInt64(number) * 7, deadline))
            case 2:
                let serial = chosen?.serial ?? UInt32(number)
                #expect(calls.answered(serial: serial) == chosen.map { Int($0.serial) }, "seed \(seed)")
                #expect(calls.answered(serial: serial) == nil, "seed \(seed)")
                model.removeAll { $0.serial == serial }
            case 3:
                let id = chosen?.id ?? UInt64(number) * 7
                #expect(calls.cancelled(id: id) == chosen.map { Int($0.serial) }, "seed \(seed)")
                model.removeAll { $0.id == id }
            default:
                now += Int.random(in: 0...10, using: &random)
                let late = model.filter { $0.deadline <= now }.map { Int($0.serial) }
                #expect(calls.expired(at: start + .seconds(now)).sorted() == late.sorted(), "seed \(seed)")
                model.removeAll { $0.deadline <= now }
            }
            #expect(calls.isEmpty == model.isEmpty, "seed \(seed)")
            #expect(calls.nextDeadline == model.map(\.deadline).min().map { start + .seconds($0) }, "seed \(seed)")
        }
        #expect(calls.removeAll().sorted() == model.map { Int($0.serial) }.sorted() && calls.isEmpty)
    }

    /// Names move from owner to owner while subscribers come and go; only the owner of the moment is believed.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a signal reaches those who follow its sender at that time`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let names = ["org.example.A", "org.example.B"]
        let peers = [":1.1", ":1.2", ":1.3"]
        var router = SignalRouter()
        var rules: [UInt64: String] = [:]
        var owners: [String: String] = [:]
        for number in 0..<400 as Range<UInt64> {
            let name = names[Int.random(in: 0..<2, using: &random)]
            let peer = peers[Int.random(in: 0..<3, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let sender = Bool.random(using: &random) ? name : peer
                router.add(DBusMatchRule(sender: sender, member: "Changed"), for: number)
                rules[number] = sender
                // The bus is asked for the owner of a name that is followed from now on.
                if sender == name { router.learn(owner: owners[name], of: name) }
            case 1:
                guard let id = rules.keys.sorted().randomElement(using: &random) else { continue }
                #expect(router.remove(id).compactMap(\.sender) == [rules.removeValue(forKey: id)], "seed \(seed)")
            case 2:
                let new = Bool.random(using: &random) ? peer : ""
                let signal = DBusSignal(
                    sender: Bus.name, path: Bus.path, interface: Bus.name, member: Bus.nameOwnerChanged,
                    arguments: [.string(name), .string(owners[name] ?? ""), .string(new)])
                #expect(router.receivers(of: signal).isEmpty, "seed \(seed)")
                owners[name] = new.isEmpty ? nil : new
            default:
                let signal = DBusSignal(sender: peer, path: "/", interface: "a.b", member: "Changed")
                let expected = rules.filter { $0.value == peer || owners[$0.value] == peer }.keys.sorted()
                #expect(router.receivers(of: signal) == expected, "seed \(seed)")
            }
        }
    }
}
