/// Decides which subscribers a signal is for.
///
/// The bus sends what any rule of the connection matches, and anybody may send a signal to this connection directly:
/// so each rule is checked here again, with the sender's well-known name resolved to its owner.
struct SignalRouter {
    private var rules: [UInt64: DBusMatchRule] = [:]
    /// The unique name of the owner of each followed name; nil when it has no owner.
    private var owners: [String: String?] = [:]

    /// Starts to route to the subscriber `id`.
    mutating func add(_ rule: DBusMatchRule, for id: UInt64) { rules[id] = rule }

    /// Stops to route to the subscriber `id`, and returns its rule.
    mutating func remove(_ id: UInt64) -> DBusMatchRule? {
        guard let rule = rules.removeValue(forKey: id) else { return nil }
        if let name = rule.followedName, !rules.values.contains(where: { $0.followedName == name }) {
            owners[name] = nil
        }
        return rule
    }

    /// Records the owner of `name` as of the query; a change seen in the meantime is newer.
    mutating func learn(owner: String?, of name: String) {
        if owners[name] == nil { owners[name] = .some(owner) }
    }

    /// The subscribers of `signal`. Notes a change of owner before anything else.
    mutating func receivers(of signal: DBusSignal) -> [UInt64] {
        note(signal)
        return rules.filter { isSender(signal.sender, of: $0.value) && $0.value.matches(signal) }.keys.sorted()
    }

    private mutating func note(_ signal: DBusSignal) {
        guard signal.sender == Bus.name, signal.interface == Bus.name, signal.member == Bus.nameOwnerChanged,
            signal.arguments.count == 3, let name = signal.arguments[0].text, let owner = signal.arguments[2].text,
            rules.values.contains(where: { $0.followedName == name })
        else { return }
        owners[name] = .some(owner.isEmpty ? nil : owner)
    }

    private func isSender(_ sender: String, of rule: DBusMatchRule) -> Bool {
        guard let name = rule.followedName else { return rule.sender == nil || rule.sender == sender }
        return owners[name] == .some(.some(sender))
    }
}

extension DBusMatchRule {
    /// The well-known name whose owner must be known to check the sender.
    var followedName: String? {
        guard let sender, !sender.hasPrefix(":"), sender != Bus.name else { return nil }
        return sender
    }

    /// Returns the rule for changes of the owner of `name`.
    static func owner(of name: String) -> DBusMatchRule {
        DBusMatchRule(
            sender: Bus.name, path: Bus.path, interface: Bus.name, member: Bus.nameOwnerChanged, firstArgument: name)
    }
}

/// The message bus as a peer: the names of the object that it offers itself.
enum Bus {
    static let name = "org.freedesktop.DBus"
    static let path = "/org/freedesktop/DBus"
    static let nameOwnerChanged = "NameOwnerChanged"
}
