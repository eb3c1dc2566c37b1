package import DictofunDomain
import Glibc
import Threading

/// The keys that are pressed on the terminal, one by one, as long as this value exists.
package final class TerminalKeys: Sendable {
    /// The keys in their order.
    package let keys: AsyncStream<Playback.Key>
    private let saved: termios
    private let wakeup: EventFD

    /// Takes the keys of standard input. Nil when it is not a terminal.
    package init?() {
        var settings = termios()
        guard isatty(0) == 1, tcgetattr(0, &settings) == 0, let wakeup = EventFD() else { return nil }
        (saved, self.wakeup) = (settings, wakeup)
        // Ctrl-C comes as a key, so that the terminal is always set back.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        guard tcsetattr(0, TCSADRAIN, &settings) == 0 else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Playback.Key.self)
        keys = stream
        let status = DetachedThread.start {
            var waiting = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let ready = poll(&waiting, 2, -1)
                if ready < 0, errno == EINTR { continue }
                guard ready > 0, waiting[1].revents == 0 else { break }
                let count = read(0, &bytes, bytes.count)
                guard count > 0 else { break }
                for key in Self.keys(in: bytes[..<count]) { continuation.yield(key) }
            }
            continuation.finish()
        }
        guard status == 0 else {
            restore()
            return nil
        }
    }

    deinit {
        wakeup.signal()
        restore()
    }

    private func restore() {
        var settings = saved
        tcsetattr(0, TCSADRAIN, &settings)
    }

    /// The keys that some bytes of a terminal mean.
    static func keys(in bytes: ArraySlice<UInt8>) -> [Playback.Key] {
        var keys: [Playback.Key] = []
        var rest = bytes
        while let first = rest.popFirst() {
            switch first {
            case UInt8(ascii: " "), UInt8(ascii: "p"): keys.append(.pause)
            case UInt8(ascii: "q"), 0x03, 0x04: keys.append(.quit)
            case UInt8(ascii: "+"), UInt8(ascii: "]"): keys.append(.faster)
            case UInt8(ascii: "-"), UInt8(ascii: "["): keys.append(.slower)
            case UInt8(ascii: "h"): keys.append(.back)
            case UInt8(ascii: "l"): keys.append(.forward)
            case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
                rest.removeFirst()
                switch rest.popFirst() {
                case UInt8(ascii: "A"): keys.append(.faster)
                case UInt8(ascii: "B"): keys.append(.slower)
                case UInt8(ascii: "C"): keys.append(.forward)
                case UInt8(ascii: "D"): keys.append(.back)
                default: break
                }
            default: break
            }
        }
        return keys
    }
}
