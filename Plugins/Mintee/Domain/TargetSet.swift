/// A pattern of days with the target for them.
///
/// If several sets of a task include a day, the one with the lowest priority number applies.
package struct TargetSet: Hashable, Sendable {
    /// The days.
    package var pattern: DayPattern
    /// The target.
    package var target: Target

    package init(_ pattern: DayPattern, _ target: Target = .done) {
        self.pattern = pattern
        self.target = target
    }

    /// The codes of the rules that pattern and target violate.
    package var breaches: [RuleCode] {
        let broken = pattern.breaches + target.breaches()
        return broken.contains { $0 == "TTS-5" || $0.description.hasPrefix("DP") } ? broken + ["I-6"] : broken
    }
}
