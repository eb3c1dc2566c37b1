import Sync

/// The text that names a state of a collection to a client (RFC 6578 §3.2): a URI, since some clients drop anything else.
struct SyncToken {
    let text: String

    init(_ state: ServedState, number: Int? = nil) { text = "data:,\(state.epoch)-\(number ?? state.number)" }

    /// The number of the change that `text` names; nil when it is not of this store, or from after its last backup.
    static func number(_ text: String, in state: ServedState) -> Int? {
        let start = "data:,\(state.epoch)-"
        guard text.hasPrefix(start), let number = Int(text.dropFirst(start.count)), 0...state.number ~= number,
            SyncToken(state, number: number).text == text
        else { return nil }
        return number
    }
}
