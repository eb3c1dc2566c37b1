import Commands
import Glibc
import Synchronization
import Threading

/// The alternate screen of the terminal of this process, with single keys instead of lines.
///
/// While it is open, Ctrl-C is a key. The terminal is put back by `close`, which also happens when the last reference is gone.
final class TerminalScreen: FullScreen {
    private struct State {
        var painter: ScreenPainter
        var size: ScreenSize
        var isOpen = true
    }

    let events: AsyncStream<ScreenEvent>
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let state: Mutex<State>
    private let settings: termios
    private let output: any ByteSink
    private let wakeup: EventFD

    /// Opens the screen; nil when there is no terminal.
    init?(output: any ByteSink, palette: Palette, glyphs: Glyphs) {
        var settings = termios()
        guard let wakeup = EventFD(), tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let profile = TerminalProfile.current(environment: [:])
        let size = ScreenSize(columns: profile.width, rows: profile.height)
        self.settings = settings
        self.output = output
        self.wakeup = wakeup
        state = Mutex(State(painter: ScreenPainter(size: size, palette: palette, glyphs: glyphs), size: size))
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    deinit { close() }

    var size: ScreenSize { state.withLock(\.size) }

    /// Begins to read keys and to follow the size; returns false when the system refuses a thread.
    func start() -> Bool {
        let (continuation, wakeup) = (continuation, wakeup)
        let status = DetachedThread.start {
            var parser = ScreenKeyParser()
            var buffer = [UInt8](repeating: 0, count: 256)
            var polled = [
                pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            ]
            while true {
                if poll(&polled, 2, -1) < 0 {
                    if errno == EINTR { continue }
                    break
                }
                if polled[0].revents != 0 { break }
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count <= 0 { break }
                for key in parser.feed(buffer[..<count]) { continuation.yield(.key(key)) }
            }
            continuation.finish()
        }
        guard status == 0 else { return false }
        Task { [weak self] in
            for await signal in await ProcessSignals.stream([SIGWINCH, SIGTERM, SIGHUP]) {
                guard let self, signal == SIGWINCH else { break }
                self.resize()
            }
            self?.continuation.finish()
        }
        return true
    }

    private func resize() {
        let profile = TerminalProfile.current(environment: [:])
        let size = ScreenSize(columns: profile.width, rows: profile.height)
        state.withLock { state in
            state.size = size
            state.painter.resize(size)
        }
        continuation.yield(.resized(size))
    }

    func show(_ frame: ScreenFrame) {
        let bytes = state.withLock { state in state.isOpen ? state.painter.paint(frame) : [] }
        if !bytes.isEmpty { try? output.write(bytes) }
    }

    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        guard wasOpen else { return }
        write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        wakeup.signal()
        continuation.finish()
    }

    private func write(_ text: String) { try? output.write(Array(text.utf8)) }
}
