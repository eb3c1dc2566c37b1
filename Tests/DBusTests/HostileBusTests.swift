import DBus
import NetworkTestSupport
import TestSupport
import Testing

/// A bus that says what no bus should. libdbus reads it; nothing of it may end the process or wait for ever.
@Suite(.timeLimit(.minutes(20)))
struct HostileBusTests {
    /// A reply to the first call with a number as its body, where a name belongs.
    private static let reply: [UInt8] =
        [0x6C, 2, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0]
        + [5, 1, 0x75, 0, 1, 0, 0, 0] + [8, 1, 0x67, 0, 1, 0x75, 0, 0] + [7, 0, 0, 0]

    /// A bus that lets everyone in, answers the first call with `bytes` and goes, or stays until the client goes.
    private func bus(_ bytes: [UInt8], staying: Bool = false) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let line = connection.line() {
                if line.contains("AUTH") {
                    _ = connection.send(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
                } else if line == "BEGIN" {
                    break
                } else {
                    _ = connection.send(Array("ERROR\r\n".utf8))
                }
            }
            // An answer that came before its call would be dropped.
            guard connection.waitForMore() else { return }
            _ = connection.send(bytes)
            if staying { connection.waitForEnd() }
        }
    }

    /// The error of opening, or the name that the bus gave.
    private func open(_ server: ScriptedServer) async throws -> Result<String, DBusError> {
        let address = try DBusAddress("tcp:host=127.0.0.1,port=\(server.port)")
        do throws(DBusError) {
            let connection = try await DBusConnection.open(address, timeout: .seconds(3600))
            await connection.close()
            return .success(connection.uniqueName)
        } catch {
            return .failure(error)
        }
    }

    private func isRefused(_ result: Result<String, DBusError>) -> Bool {
        if case .failure(.noBus) = result { true } else { false }
    }

    @Test func `a reply of another type is one without a name`() async throws {
        #expect(try await open(bus(HostileBusTests.reply, staying: true)) == .success(""))
    }

    @Test(arguments: [
        [], [0], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [UInt8](repeating: 0xFF, count: 4096),
        Array(HostileBusTests.reply.dropLast()), [0x6C, 2, 0, 1],
    ])
    func `bytes that are no message, or no whole one, are a bus that refused`(bytes: [UInt8]) async throws {
        #expect(try await isRefused(open(bus(bytes))))
    }

    @Test(arguments: [0x7FFF_FFFF, 0x0800_0000, 0x0100_0000, 0xFFFF_FFFF] as [UInt32])
    func `a message that says it is too long is refused before it has come`(length: UInt32) async throws {
        var bytes = HostileBusTests.reply
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index))) }
        #expect(try await isRefused(open(bus(bytes, staying: true))))
    }

    @Test func `no change of a byte ends the process or waits for ever`() async throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            var bytes = HostileBusTests.reply
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            switch try await open(bus(bytes)) {
            case .success(let name): #expect(name.isEmpty)
            case .failure(let error):
                if case .noBus = error { continue }
                // A reply that became an error is one of the other side.
                if case .remote = error { continue }
                Issue.record("\(error) after \(bytes)")
            }
        }
    }
}
