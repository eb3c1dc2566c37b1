extension Card {
    /// The time of the last change by `REV`, in milliseconds since 1970 UTC.
    package var revisedAt: Int64? { first(.revision).flatMap { RevisionStamp.time(trimmedText(properties[$0])) } }

    /// Returns the card with `REV` set to `time`, in milliseconds since 1970 UTC.
    package func revised(at time: Int64) -> Card {
        var patch = CardPatch(self)
        patch.setRevision(time)
        return Card(patch.bytes())
    }
}
