import Commands

/// The content of a progress line: label, bar, share, amount, rate and remaining time.
struct ProgressMeasure {
    private let progress: Progress
    /// Units per second so far; nil while it is unknown.
    private let rate: Double?

    /// Progress that began `elapsed` ago with `start` units done.
    init(_ progress: Progress, since start: Int, elapsed: Duration) {
        self.progress = progress
        let seconds = elapsed / .seconds(1)
        let done = progress.completed - start
        rate = seconds >= 0.5 && done > 0 ? Double(done) / seconds : nil
    }

    private static let barWidth = 18

    /// The line in at most `width` columns: parts at the end go first when it is narrow.
    func line(width: Int, glyphs: Glyphs) -> String {
        var line = TerminalSanitizer.line(progress.label)
        for part in parts(full: glyphs.isUTF8 ? "█" : "#") {
            let longer = line + "  " + part
            if DisplayWidth.of(longer) > width { break }
            line = longer
        }
        return TextLayout.cut(glyphs.adapt(line), to: width, ellipsis: glyphs.ellipsis)
    }

    private func parts(full: String) -> [String] {
        let unit = progress.unit
        let speed = rate.map { "\(NumberFormat.grouped(Int($0.rounded()))) \(unit)/s" }
        guard let total = progress.total, total > 0 else {
            return ["\(NumberFormat.grouped(progress.completed)) \(unit)"] + [speed].compactMap(\.self)
        }
        let done = min(max(0, progress.completed), total)
        let filled = Int(Double(done) / Double(total) * Double(ProgressMeasure.barWidth))
        let bar =
            String(repeating: full, count: filled)
            + String(repeating: "░", count: ProgressMeasure.barWidth - filled)
        let percent = String(Int(Double(done) / Double(total) * 100))
        let left = rate.map { Int((Double(total - done) / $0).rounded(.up)) }
        return [
            bar, percent.leftPadded(to: 3) + " %",
            "\(done) of \(total) \(unit)", speed, left.map { ProgressMeasure.clock($0) + " left" },
        ].compactMap(\.self)
    }

    private static func clock(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
