/// Decides which subscribers a signal is for.
///
/// The bus sends what any rule of the connection matches, and anybody may send a signal to this connection directly:
/// so each rule is checked here again, with the sender's well-known name resolved to its owner.
struct SignalRouter {
    private var rules: [UInt64: [DBusMatchRule]] = [:]
    /// The unique name of the owner of each followed name; nil when it has no owner.
    private var owners: [String: String?] = [:]

    /// Starts to route what `rule` matches to the subscriber `id`, besides what its other rules match.
    mutating func add(_ rule: DBusMatchRule, for id: UInt64) { rules[id, default: []].append(rule) }

    /// Stops to route to the subscriber `id`, and returns its rules.
    mutating func remove(_ id: UInt64) -> [DBusMatchRule] {
        let removed = rules.removeValue(forKey: id) ?? []
        for name in removed.compactMap(\.followedName) where !isFollowed(name) { owners[name] = nil }
        return removed
    }

    /// Records the owner of `name` as of the query; a change seen in the meantime is newer.
    mutating func learn(owner: String?, of name: String) {
        if owners[name] == nil { owners[name] = .some(owner) }
    }

    /// The subscribers of `signal`. Notes a change of owner before anything else.
    mutating func receivers(of signal: DBusSignal) -> [UInt64] {
        note(signal)
        return rules.filter { entry in
            entry.value.contains { isSender(signal.sender, of: $0) && $0.matches(signal) }
        }.keys.sorted()
    }

    private mutating func note(_ signal: DBusSignal) {
        guard signal.sender == Bus.name, signal.interface == Bus.name, signal.member == Bus.nameOwnerChanged,
            signal.arguments.count == 3, let name = signal.arguments[0].text, let owner = signal.arguments[2].text,
            isFollowed(name)
        else { return }
        owners[name] = .some(owner.isEmpty ? nil : owner)
    }

    private func isFollowed(_ name: String) -> Bool {
        rules.values.contains { $0.contains { $0.followedName == name } }
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
