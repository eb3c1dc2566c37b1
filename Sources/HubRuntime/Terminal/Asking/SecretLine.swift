import Glibc

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
