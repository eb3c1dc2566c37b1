package import Commands
import Glibc

/// The properties of the terminal, if there is one: read once at start, given explicitly in tests.
package struct TerminalProfile: Sendable {
    /// Whether stdin is a terminal.
    package var inputIsTerminal: Bool
    /// Whether stdout is a terminal.
    package var outputIsTerminal: Bool
    /// Whether stderr is a terminal.
    package var errorIsTerminal: Bool
    /// Columns of the terminal.
    package var width: Int
    /// Lines of the terminal.
    package var height: Int
    /// Whether its locale writes UTF-8; without it glyphs have ASCII twins.
    package var isUTF8: Bool
    /// The choice of colour in the environment; nil leaves it to `isTerminal`.
    package var environmentColor: Bool?

    package init(
        inputIsTerminal: Bool = false, outputIsTerminal: Bool = false, errorIsTerminal: Bool = false, width: Int = 80,
        height: Int = 24, isUTF8: Bool = true, environmentColor: Bool? = nil
    ) {
        self.inputIsTerminal = inputIsTerminal
        self.outputIsTerminal = outputIsTerminal
        self.errorIsTerminal = errorIsTerminal
        self.width = width
        self.height = height
        self.isUTF8 = isUTF8
        self.environmentColor = environmentColor
    }

    /// The terminal of this process, with what `environment` says about it.
    package static func current(environment: [String: String]) -> TerminalProfile {
        let size = windowSize()
        return TerminalProfile(
            inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            width: environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? size?.width ?? 80,
            height: environment["LINES"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? size?.height ?? 24,
            isUTF8: isUTF8(environment), environmentColor: color(environment))
    }

    /// Returns the choice of the first that is set of `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and `TERM`.
    static func color(_ environment: [String: String]) -> Bool? {
        if let refusal = environment["NO_COLOR"], !refusal.isEmpty { return false }
        if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
        if environment["CLICOLOR"] == "0" || environment["TERM"] == "dumb" { return false }
        return nil
    }

    /// Whether the locale of `LC_ALL`, `LC_CTYPE` or `LANG`, the first that is set, writes UTF-8.
    static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // language_COUNTRY.CHARSET@modifier
        let charset = (locale ?? "").lowercased().split(separator: "@").first?.split(separator: ".").last
        return charset == "utf-8" || charset == "utf8"
    }

    private static func windowSize() -> (width: Int, height: Int)? {
        var size = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO]
        where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return (Int(size.ws_col), Int(size.ws_row))
        }
        return nil
    }

    /// Returns the colours for stdout.
    package func outputPalette(_ choice: ColorChoice?) -> Palette {
        Palette(isColored: isColored(choice, outputIsTerminal))
    }

    /// Returns the colours for stderr.
    package func errorPalette(_ choice: ColorChoice?) -> Palette {
        Palette(isColored: isColored(choice, errorIsTerminal))
    }

    private func isColored(_ choice: ColorChoice?, _ isTerminal: Bool) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto, nil: environmentColor ?? isTerminal
        }
    }
}
