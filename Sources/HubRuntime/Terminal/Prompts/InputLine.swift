import Glibc

/// Reads one line, byte by byte, so that the rest is left for the next reader.
enum InputLine {
    /// The most bytes of a line that is typed; the rest of a longer one is dropped.
    private static let limit = 64 << 10

    /// The line without its end; nil when the input has ended before anything came.
    static func read(from descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var isEmpty = true
        while let byte = nextByte(from: descriptor) {
            isEmpty = false
            if byte == UInt8(ascii: "\n") { break }
            if bytes.count < limit { bytes.append(byte) }
        }
        if isEmpty { return nil }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The next byte, waiting for it; nil at the end of the input.
    static func nextByte(from descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }
}

/// Reads a line that is not shown while it is typed.
///
/// While it reads, the terminal sends Ctrl-C as a byte instead of a signal: so its settings are always put back before
/// the process ends.
enum SecretLine {
    /// The line without its end; nil when the input has ended. On no terminal it is read as it comes.
    ///
    /// `prompt` shows the question. It is called when nothing that is typed is shown any more: what is typed before that is
    /// dropped, and a quick answer must not be.
    static func read(from descriptor: Int32, prompting prompt: () -> Void = {}) -> String? {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            prompt()
            return InputLine.read(from: descriptor)
        }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(descriptor, TCSAFLUSH, &silent)
        prompt()
        var line: [UInt8]? = []
        var signal: Int32?
        reading: while let byte = InputLine.nextByte(from: descriptor) {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): break reading
            case 0x03, 0x1C:
                signal = byte == 0x03 ? SIGINT : SIGQUIT
                break reading
            case 0x04:
                if line?.isEmpty == true { line = nil }
                break reading
            case 0x7F, 0x08: removeCharacter(&line)
            case 0x15: line = []
            default: line?.append(byte)
            }
        }
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        if let signal {
            kill(getpid(), signal)
            return nil
        }
        return line.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Takes back the last character with all its UTF-8 bytes.
    private static func removeCharacter(_ line: inout [UInt8]?) {
        while let last = line?.popLast(), last & 0xC0 == 0x80 {}
    }
}
