/// A program that fills the terminal, such as a live board: it shows frames and gets keys.
///
/// HubRuntime talks to the terminal. It draws only the cells that differ from the frame before, and puts the terminal back when
/// the screen is closed.
package protocol FullScreen: Sendable {
    /// The number of columns and rows.
    var size: ScreenSize { get }
    /// Keys, and changes of the size. It has one reader, and ends when the terminal is gone.
    var events: AsyncStream<ScreenEvent> { get }
    /// Shows a frame in the place of the one before.
    func show(_ frame: ScreenFrame)
    /// Leaves the screen, with what was on the terminal before.
    func close()
}

/// The number of columns and rows of a terminal.
package struct ScreenSize: Hashable, Sendable {
    /// The number of columns.
    package let columns: Int
    /// The number of rows.
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// What a full screen shows: lines of styled text. What is too long is cut, and control characters are shown as escapes.
package struct ScreenFrame: Hashable, Sendable {
    /// A piece of a line in one style.
    package struct Piece: Hashable, Sendable {
        /// The text.
        package let text: String
        /// The style.
        package let style: TextStyle

        package init(_ text: String, _ style: TextStyle = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// The lines from the top.
    package var lines: [[Piece]]

    package init(lines: [[Piece]] = []) { self.lines = lines }
}

/// An input of a full screen.
package enum ScreenEvent: Hashable, Sendable {
    case key(ScreenKey)
    case resized(ScreenSize)
}

/// A key of the terminal.
package enum ScreenKey: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
    /// Ctrl-C.
    case interrupt
}
