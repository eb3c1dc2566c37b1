package import Text

/// The members of a group: `KIND` and `MEMBER` (RFC 6350 §6.1.4, §6.6.5), or Apple's properties of them, which vCard 3.0
/// needs. A group keeps the form that it has; a conversion to another version changes it.
extension Card {
    private var memberKind: PropertyKind {
        if first(.member) != nil { return .member }
        if first(.appleMember) != nil || first(.appleKind) != nil { return .appleMember }
        return version == .v4 ? .member : .appleMember
    }

    /// Returns the card as that of a group.
    package func asGroup() -> Card {
        if details.kind == .group { return self }
        let kind: PropertyKind = version == .v4 ? .kind : .appleKind
        let group = PropertyValue.text("group")
        return applying([first(kind).map { .replace($0, group) } ?? .add(kind, group, label: "")])
    }

    /// Returns the card with the cards `uids` as further members, each once. `time` is the time for `REV`, in milliseconds
    /// since 1970 UTC.
    package func addingMembers(_ uids: [ByteString], at time: Int64?) -> Card {
        var known = Set(members.map(\.uid))
        let new = uids.map(\.withoutURN).filter { known.insert($0).inserted }
        let kind = memberKind
        return applying(new.map { .add(kind, .uri(Card.link(to: $0)), label: "") }, at: time)
    }

    /// Returns the card without the members that `isRemoved` selects by their `UID`s.
    package func removingMembers(at time: Int64?, where isRemoved: (ByteString) -> Bool) -> Card {
        applying(members.filter { isRemoved($0.uid) }.map { .remove($0.place) }, at: time)
    }

    private var members: [(place: Int, uid: ByteString)] {
        properties.indices.compactMap { place in
            guard [.member, .appleMember].contains(properties[place].kind) else { return nil }
            return reference(properties[place]).map { (place, $0.uid) }
        }
    }

    /// The URI of the card with this `UID`: those of other schemes stay as they are.
    private static func link(to uid: ByteString) -> String {
        let text = uid.repairedText
        return text.hasPrefix("urn:") || text.contains("://") || text.hasPrefix("mailto:") ? text : "urn:uuid:\(text)"
    }
}
