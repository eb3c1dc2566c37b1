/// Names of several things in one line of a message.
package enum NameList {
    /// The names in alphabetical order, so that each message about the same things lists them alike; at most `limit` of
    /// them, the rest counted.
    package static func line(_ names: [String], limit: Int = 5) -> String {
        let shown = names.sorted().prefix(limit).joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
