import Testing

@testable import Dictofun

@Suite(.timeLimit(.minutes(20)))
struct SessionCallsTests {
    private final class Token: Sendable {}

    @Test func `nothing is kept of a call that has ended while others go on`() async {
        let calls = SessionCalls()
        let (waiting, wait) = AsyncStream.makeStream(of: Never.self)
        calls.start { for await _ in waiting {} }
        weak var kept: Token?
        do {
            let token = Token()
            kept = token
            calls.start { withExtendedLifetime(token) {} }
        }
        while kept != nil { await Task.yield() }
        calls.cancel()
        wait.finish()
    }

    @Test func `calls run beside each other and are cancelled together`() async {
        let calls = SessionCalls()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        for _ in 0..<2 {
            calls.start {
                let (waiting, wait) = AsyncStream.makeStream(of: Never.self)
                begin.yield()
                for await _ in waiting {}
                end.yield(Task.isCancelled)
                wait.finish()
            }
        }
        var (beginnings, endings) = (begun.makeAsyncIterator(), ends.makeAsyncIterator())
        for _ in 0..<2 { await beginnings.next() }
        calls.cancel()
        for _ in 0..<2 { #expect(await endings.next() == true) }
    }
}
