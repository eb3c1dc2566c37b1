extension QRCode {
    /// The code for a terminal: a character stands for two modules, one above the other. Light modules are drawn, since
    /// most terminals are dark; readers of codes accept both.
    package var halfBlocks: [String] {
        stride(from: -QRCode.margin, to: size + QRCode.margin, by: 2).map { y in
            columns.map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
        }
    }

    /// The code in ASCII: two characters stand for a module, so that it is square; dark ones are drawn.
    package var ascii: [String] {
        columns.map { y in columns.map { x in isDark(x, y) ? "##" : "  " }.joined() }
    }

    private var columns: Range<Int> { -QRCode.margin..<size + QRCode.margin }
}
