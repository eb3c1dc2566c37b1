extension Card {
    /// When the card was changed last, as `REV` says; in milliseconds since 1970 UTC.
    package var revisedAt: Int64? { first(.revision).flatMap { RevisionStamp.time(trimmedText(properties[$0])) } }

    /// The card with the time of a change in `REV`, in milliseconds since 1970 UTC.
    package func revised(at time: Int64) -> Card {
        var patch = CardPatch(self)
        patch.setRevision(time)
        return Card(patch.bytes())
    }
}
