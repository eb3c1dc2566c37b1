import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(20)))
struct StopTests {
    @Test func `a request that has begun is finished`() async throws {
        let gate = Gate()
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in
            await gate.pass()
            return .text("done")
        }
        let client = try RawClient(server.address)
        async let answer = client.request("GET", "/")
        await gate.arrival()
        async let stopped: Void = server.stop(grace: .seconds(3600))
        gate.open()
        #expect(try await answer.text == "done")
        await stopped
    }

    @Test func `a kept answer that is being sent is sent whole`() async throws {
        let text = String(repeating: "k", count: 900_000)
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in
            var response = HTTPResponse.text(text)
            response.holds = { true }
            return response
        }
        let client = try RawClient(server.address)
        _ = try await client.request("GET", "/")
        // More than the kernel takes, so one of them is being sent until it is read.
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try await client.send(String(repeating: request, count: 30))
        #expect(try await client.answer().text == text)
        async let stopped: Void = server.stop(grace: .seconds(3600))
        while (try? RawClient(server.address)) != nil { await Task.yield() }
        while let answer = try? await client.answer() { #expect(answer.text == text) }
        #expect(client.unread == 0)
        await stopped
    }

    @Test func `the port is free afterwards and the connections are closed`() async throws {
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in .text("first") }
        let client = try RawClient(server.address)
        _ = try await client.request("GET", "/")
        await server.stop()
        #expect(try await client.isClosed())
        let second = try HTTPServer(on: server.address, limits: .patient) { _ in .text("second") }
        #expect(try await second.ask("GET", "/").text == "second")
        await second.stop()
    }

    @Test func `who comes between two servers is served by the second`() async throws {
        let sockets = ListeningSockets()
        let address = SocketAddress.loopback(port: 0)
        let first = try HTTPServer(sockets.socket(on: address), limits: .patient) { _ in .text("first") }
        let client = try RawClient(first.address)
        #expect(try await client.request("GET", "/").text == "first")
        await first.stop()
        #expect(try await client.isClosed())
        let other = try RawClient(first.address)
        try await other.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let second = try HTTPServer(sockets.socket(on: address), limits: .patient) { _ in .text("second") }
        #expect(try await other.answer().text == "second")
        sockets.keep(only: [])
        await second.stop()
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(first.address) }
    }

    @Test func `an endless response does not hold the server up`() async throws {
        let (events, source) = AsyncStream.makeStream(of: ServerSentEvent.self)
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in .events(events) }
        let client = try RawClient(server.address)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await client.answerHead()
        _ = try await client.nextChunk()
        // It would wait for longer than the suite may take.
        await server.stop(grace: .seconds(3600))
        source.finish()
    }

    @Test func `a handler that does not listen is given up`() async throws {
        let (stuck, release) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate()
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in
            await gate.pass()
            await Task { for await _ in stuck {} }.value
            return .text("too late")
        }
        let client = try RawClient(server.address)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await gate.arrival()
        await server.stop(grace: .zero)
        #expect(try await client.isClosed())
        release.finish()
    }

    @Test func `stopping twice is stopping once`() async throws {
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in .text("") }
        async let first: Void = server.stop()
        async let second: Void = server.stop()
        _ = await (first, second)
    }

    // The library crashes when it refuses a request after it was told to stop.
    @Test func `a server may stop while it refuses requests`() async throws {
        for _ in 0..<20 {
            let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { _ in .text("") }
            let clients = try (0..<40).map { _ in try RawClient(server.address) }
            for client in clients { _ = try await client.request("GET", "/") }
            let malformed = "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n"
            async let sent: Void = withTaskGroup { group in
                for client in clients { group.addTask { try? await client.send(malformed) } }
            }
            await server.stop(grace: .zero)
            await sent
            for client in clients { #expect(try await client.isClosed()) }
        }
    }

    @Test func `fifty servers stop under load`() async throws {
        for round in 0..<50 {
            let (served, count) = AsyncStream.makeStream(of: Void.self)
            let server = try HTTPServer(on: .loopback(port: 0), limits: .patient) { request in
                count.yield()
                if request.path == "/slow" { try? await Task.sleep(for: .milliseconds(1)) }
                if request.path != "/stream" { return .text(request.path) }
                return HTTPResponse(
                    body: .endless { writer in
                        while true { try await writer.write([UInt8](repeating: 1, count: 5000)) }
                    })
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let path = ["/", "/slow", "/stream"][number % 3]
                        while let client = try? RawClient(server.address) {
                            while (try? await client.request("GET", path)) != nil {}
                        }
                    }
                }
                for await _ in served.prefix(50 + round * 4) {}
                await server.stop(grace: .milliseconds(round % 3 * 20))
            }
        }
    }
}
