/// A pattern of days and what is to be reached on them.
///
/// Of several sets of a task that name the same day the one with the lowest priority number holds.
package struct TargetSet: Hashable, Sendable {
    /// On which days.
    package var pattern: DayPattern
    /// The target.
    package var target: Target

    package init(_ pattern: DayPattern, _ target: Target = .done) {
        self.pattern = pattern
        self.target = target
    }

    /// The codes of the rules that pattern and target break.
    package var breaches: [RuleCode] {
        let broken = pattern.breaches + target.breaches()
        return broken.contains { $0 == "TTS-5" || $0.description.hasPrefix("DP") } ? broken + ["I-6"] : broken
    }
}
