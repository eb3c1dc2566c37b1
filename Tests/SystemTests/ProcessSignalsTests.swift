import Glibc
import System
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct ProcessSignalsTests {
    @Test func `signals arrive in the stream and do nothing else`() async {
        var signals = await ProcessSignals.stream([SIGUSR1, SIGUSR2]).makeAsyncIterator()
        kill(getpid(), SIGUSR1)
        #expect(await signals.next() == SIGUSR1)
        kill(getpid(), SIGUSR2)
        #expect(await signals.next() == SIGUSR2)
        kill(getpid(), SIGUSR1)
        #expect(await signals.next() == SIGUSR1)
    }
}
